/** Why something of an archive is not in the account after its import, in the order in which it is told. */
export const REASONS = [
  'refusedPosts',
  'refusedComments',
  'refusedProfile',
  'forSubscribers',
  'overLimit',
  'commentsOverLimit',
  'emptyPosts',
  'missingFiles',
  'brokenFiles',
  'filesOverQuota',
  'refusedFiles',
  'unreadable',
  'hiddenPosts',
  'hiddenComments',
  'commentsElsewhere',
  'likes',
  'follows',
  'reviews',
  'messages',
  'subscriptions',
] as const;

export type Reason = (typeof REASONS)[number];

/** How many of what. */
export type LeftOut = Partial<Record<Reason, number>>;

/** Counts `n` more. */
export function leaveOut(leftOut: LeftOut, reason: Reason, n = 1): void {
  if (n > 0) leftOut[reason] = (leftOut[reason] ?? 0) + n;
}
