/** The gateway ignores older ones, in ms. */
const MAX_AGE_MS = 60_000;

let latest: { after: string; at: number } | undefined;

/** The `Pulso-After` of an event: what is read from now on waits for what the event tells of (HTTP-33). */
export function setReadAfter(after: string): void {
  latest = { after, at: Date.now() };
}

/** The one of the latest event that had one, unless it is too old. */
export const getReadAfter = (): string | undefined =>
  latest && Date.now() - latest.at < MAX_AGE_MS ? latest.after : undefined;

/** Somebody else may be the viewer from now on. */
export function clearReadAfter(): void {
  latest = undefined;
}
