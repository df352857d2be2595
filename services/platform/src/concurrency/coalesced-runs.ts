/**
 * Runs work by key for several callers. Calls during a run share the next run, because only that run is certain to see
 * the callers' earlier writes.
 */
export class CoalescedRuns<T> {
  private readonly runs = new Map<string, { current: Promise<T>; next?: Promise<T> }>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.runs.get(key);
    if (!running) return this.start(key, work);
    running.next ??= running.current.then(
      () => this.start(key, work),
      () => this.start(key, work),
    );
    return running.next;
  }

  private start(key: string, work: () => Promise<T>): Promise<T> {
    const run: { current: Promise<T>; next?: Promise<T> } = {
      current: work().finally(() => {
        if (!run.next) this.runs.delete(key);
      }),
    };
    this.runs.set(key, run);
    return run.current;
  }
}
