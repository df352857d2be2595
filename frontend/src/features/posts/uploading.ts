import { useKeptDraft } from '../../drafts/drafts.js';

/** The videos that a member of this tab has on the way to the server: what a page needs to know without their code. */
export interface Uploading {
  /** Of the new post's video, if it is under way: whole per cent. */
  percent?: number;
}

/** In memory only, as words being written: the browser asks before it closes the page, and it is gone with the session (UI-41). */
export const UPLOADING = 'uploads';

export const useUploading = (userId: string): Uploading | undefined => useKeptDraft(userId, UPLOADING);
