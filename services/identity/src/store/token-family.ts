import { REUSE_GRACE_MS } from './rotation.js';

/** How many generations before its present one a family keeps. Ordinary use returns to the last one or two. */
export const KEPT_GENERATIONS = 100;
/** How many tokens of one generation a family keeps: more than the gateway lets one token be exchanged for in its window. */
export const KEPT_OF_GENERATION = 200;
/** A family from before these bounds shrinks by so many at each refresh. */
export const FORGOTTEN_AT_ONCE = 1_000;

/** SQL and its parameters. */
export interface FamilyStatement {
  sql: string;
  parameters: unknown[];
}

/** Starts the grace period of every token older than `generation`. */
export const superseding = (sessionId: string, generation: number, now: number): FamilyStatement => ({
  sql: `UPDATE refresh_tokens SET superseded_at = $3
        WHERE session_id = $1 AND generation < $2 AND superseded_at IS NULL`,
  parameters: [sessionId, generation, new Date(now)],
});

/**
 * Deletes the tokens beyond a family's bounds (ACCT-19) before it gets a token of the generation `next`. Tokens within their
 * grace period are kept. A deleted one counts as stolen when it is presented: it names its session (see `RefreshTokens`).
 */
export const forgetting = (
  family: { id: string; generation: number },
  next: number,
  now: number,
): FamilyStatement => ({
  // Given as an array, whose length the planner does not guess, they are always looked up by the primary key.
  sql: `DELETE FROM refresh_tokens WHERE hash = ANY (ARRAY(
          (SELECT hash FROM refresh_tokens
           WHERE session_id = $1 AND generation < $2 AND superseded_at < $3
           ORDER BY generation LIMIT ${FORGOTTEN_AT_ONCE})
          UNION ALL
          (SELECT hash FROM refresh_tokens WHERE session_id = $1 AND generation = $4
           ORDER BY issued_at DESC OFFSET ${KEPT_OF_GENERATION - 1})))`,
  parameters: [family.id, family.generation - KEPT_GENERATIONS, new Date(now - REUSE_GRACE_MS), next],
});
