import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { keepDraft } from '../../../drafts/drafts.js';
import { freeUploads, PhotoList } from './photo-list.js';
import type { PhotoListOptions } from './photo-list.js';
import { photoTexts } from './texts.js';

export { PhotoPanel } from './photo-panel.js';

interface Writing extends Pick<PhotoListOptions, 'images' | 'ofPost' | 'onChange'> {
  /** Whose text it is. */
  userId: string;
  /** The key of its draft. */
  draftKey: string;
  queryClient: QueryClient;
}

/** What the storage, and notices, are told. */
function tellsOf({ queryClient }: Pick<Writing, 'queryClient'>) {
  const { photos } = photoTexts;
  return {
    onStored: () => void queryClient.invalidateQueries({ queryKey: queryKeys.storage }),
    onExpired: (count: number) => toast({ type: 'warning', message: photos.expired(count) }),
    onNotFreed: () => toast({ type: 'warning', message: photos.notFreed }),
  };
}

/** The photos of a text that `userId` writes, for as long as their page stays (`stay`). */
export function openPhotos({ userId, draftKey, queryClient, ...options }: Writing): PhotoList {
  return new PhotoList({
    ...options,
    ...tellsOf({ queryClient }),
    // The browser asks before it closes the page; what is not uploaded yet is lost with it.
    onBusy: (busy) =>
      keepDraft(userId, `${draftKey}:photos`, busy || undefined, { unsent: true, stored: false }),
  });
}

/** Deletes the uploads of an edit that was discarded. */
export const dropUploads = (ids: readonly string[], to: Pick<Writing, 'queryClient'>): Promise<void> =>
  freeUploads(ids, tellsOf(to));
