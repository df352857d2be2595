/** The gateway ignores older ones, in ms. */
const MAX_AGE = 60_000;

let told: { after: string; at: number } | undefined;

/** The `Pulso-After` of an event: what is read from now on waits for what the event tells of (HTTP-33). */
export function setToldAfter(after: string): void {
  told = { after, at: Date.now() };
}

/** The one of the latest event that had one, unless it is too old. */
export const getToldAfter = (): string | undefined =>
  told && Date.now() - told.at < MAX_AGE ? told.after : undefined;

/** Somebody else may be the viewer from now on. */
export function clearToldAfter(): void {
  told = undefined;
}
