/** The longest time of one read, in ms: a request's whole budget. */
export const READ_BUDGET_MS = 5_000;

/** Whether a write failed because a unique key is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown }).code === 11000;
}
