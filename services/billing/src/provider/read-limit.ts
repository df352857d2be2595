/** Of one reading of the provider, or of one page that it opens: callers have 5 s in all. */
export const READ_LIMIT_MS = 3_000;
