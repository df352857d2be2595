import type { Me } from '../../api/types.js';

/** `answered`, with what `known` has wherever it is null. */
function filledUp<T extends object>(answered: T, known: T): T {
  const filled = { ...answered };
  for (const key of Object.keys(answered) as (keyof T)[]) filled[key] ??= known[key];
  return filled;
}

/** The user of a session, with the known figures of the same user: the answers to login and refresh have none (HTTP-37). */
export function withKnownFigures(user: Me, known: Me | undefined): Me {
  if (known?.id !== user.id) return user;
  return {
    ...user,
    stats: filledUp(user.stats, known.stats),
    rating: filledUp(user.rating, known.rating),
    storage: filledUp(user.storage, known.storage),
  };
}
