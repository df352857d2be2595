/** What a service does when an account is erased; see `eraser` of `defineService`. */
export abstract class UserEraser {
  /**
   * Removes what the service holds of the user, but what it must keep, without a name. May be repeated, interrupted and run twice at a time;
   * ends early when `stopping` aborts. Resolves to false if something that goes on by itself has to end first: it is asked again
   * some seconds later.
   */
  abstract erase(userId: string, stopping: AbortSignal): Promise<boolean>;
}
