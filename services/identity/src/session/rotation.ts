/** How long a spent token still works after its successor was first used. */
export const REUSE_GRACE_MS = 10_000;

/**
 * What presenting a refresh token does to its family (ACCT-19).
 *
 * Two tabs, or a client that lost the answer, present the same token several times and must all get on, so tokens have
 * generations: one presented brings its family to its own generation, and what it is given belongs to the next one.
 * Siblings are of one generation and alike. The first use of a newer generation proves that the rotation arrived; from
 * then on older tokens live for `REUSE_GRACE_MS`, and one presented later is taken for stolen.
 *
 * @returns `reuse`, or the family's generation from now on and the generation of the token to hand out.
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
