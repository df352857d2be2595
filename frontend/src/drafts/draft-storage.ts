import { session } from '../server/session/session.js';
import { tryStorage } from '../browser/try-storage.js';

export interface KeptDraft {
  draft: unknown;
  unsent: boolean;
  stored: boolean;
}

interface Stored {
  owner: string;
  /** When it was written, in ms. */
  at: number;
  drafts: [key: string, draft: KeptDraft][];
}

/** Per tab, so that two tabs do not overwrite each other's drafts. */
const DRAFTS_STORAGE_KEY = 'pulso.drafts';
/** For all tabs: when somebody last logged out, in ms. A tab that is reopened may still hold what was kept before. */
const LOGGED_OUT_STORAGE_KEY = 'pulso.logged-out';

/** What is stored at most, in UTF-16 code units of JSON; a post has up to 20,000. Beyond, the oldest drafts are not stored. */
const MAX_STORED_UNITS = 200_000;

/** Stores the drafts of `owner` for this tab. Without access to storage they last until the page is closed. */
export function storeDrafts(owner: string, kept: ReadonlyMap<string, KeptDraft>): void {
  const drafts: Stored['drafts'] = [];
  let size = 0;
  for (const [key, draft] of [...kept].reverse()) {
    if (!draft.stored) continue;
    size += JSON.stringify(draft.draft).length + key.length;
    if (size > MAX_STORED_UNITS) break;
    drafts.unshift([key, draft]);
  }
  if (drafts.length === 0) return forgetStoredDrafts();
  const stored: Stored = { owner, at: Date.now(), drafts };
  tryStorage(() => sessionStorage.setItem(DRAFTS_STORAGE_KEY, JSON.stringify(stored)));
}

/** What the tab kept before its reload; nothing once somebody has logged out since, in whichever tab. */
export function storedDrafts(): Pick<Stored, 'owner' | 'drafts'> | undefined {
  const stored = tryStorage(
    () => JSON.parse(sessionStorage.getItem(DRAFTS_STORAGE_KEY) ?? 'null') as Stored | null,
  );
  if (!stored) return undefined;
  const loggedOut = Number(tryStorage(() => localStorage.getItem(LOGGED_OUT_STORAGE_KEY)) ?? 0);
  if (stored.at >= loggedOut) return stored;
  forgetStoredDrafts();
  return undefined;
}

export const forgetStoredDrafts = (): void =>
  void tryStorage(() => sessionStorage.removeItem(DRAFTS_STORAGE_KEY));

session.subscribe(() => {
  const state = session.getState();
  if (state.status !== 'signed-out' || state.reason !== 'logout') return;
  tryStorage(() => localStorage.setItem(LOGGED_OUT_STORAGE_KEY, String(Date.now())));
});
