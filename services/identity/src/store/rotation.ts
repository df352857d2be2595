/** How long a spent token still works after its successor was first used. */
export const REUSE_GRACE_MS = 10_000;

/**
 * Decides what happens to a token family when one of its refresh tokens is presented (ACCT-19).
 *
 * Two tabs, or a client that lost the response, present the same token several times, and all of them must succeed.
 * Tokens therefore have generations: a presented token moves its family to its own generation, and the token issued
 * in exchange belongs to the next one. Tokens of one generation are equivalent. The first use of a newer generation
 * proves that the rotation arrived; from then on older tokens stay valid for `REUSE_GRACE_MS`, and an older token
 * presented later counts as stolen.
 *
 * @returns `reuse`, or the new generation of the family and the generation of the token to issue.
 */
export function rotate(
  token: { generation: number; supersededAt: number | null },
  family: { generation: number },
  now: number,
): 'reuse' | { generation: number; supersedes: boolean; next: number } {
  if (token.supersededAt !== null && now - token.supersededAt > REUSE_GRACE_MS) return 'reuse';
  const generation = Math.max(token.generation, family.generation);
  return { generation, supersedes: token.generation > family.generation, next: generation + 1 };
}
