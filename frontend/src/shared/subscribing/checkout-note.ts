import { tryStorage } from '../../browser/try-storage.js';
import { viewerId } from '../../server/session/session.js';

/** That this tab has led the viewer to the provider's page, to pay for a subscription. */
interface CheckoutNote {
  viewerId: string | undefined;
  coachId: string;
  /** In ms. */
  at: number;
}

const STORAGE_KEY = 'pulso.checkout';
/** The longest, in ms, that a provider's page can be paid on. */
const MAX_AGE_MS = 24 * 3_600_000;

/** In the tab's sessionStorage, which outlives the provider's pages. */
export function noteCheckout(coachId: string): void {
  const note: CheckoutNote = { viewerId: viewerId(), coachId, at: Date.now() };
  tryStorage(() => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(note)));
}

export const forgetCheckout = (): void => void tryStorage(() => sessionStorage.removeItem(STORAGE_KEY));

/**
 * Whether the viewer has gone from this tab to pay for a subscription to a coach. An address alone does not tell: anybody can
 * make one, and it must neither subscribe nor resume anything.
 */
export function hasNotedCheckout(coachId: string): boolean {
  const note = tryStorage(
    () => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as CheckoutNote | null,
  );
  return note?.coachId === coachId && note.viewerId === viewerId() && Date.now() - note.at < MAX_AGE_MS;
}
