import { toast } from '../../../components/feedback/feedback-store.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { queryClient } from '../../../server/queries/query-client.js';
import { NetworkError, SessionOverError } from '../../../server/http/api-error.js';
import { session, viewerId } from '../../../server/session/session.js';
import { RetryLimitError } from '../../../server/videos/retry-upload.js';
import { keepDraft, keptDraft } from '../../../drafts/drafts.js';
import { draftOf, setDraft } from '../drafts.js';
import type { DraftUpload } from '../post-fields.js';
import { UPLOADING } from '../uploading.js';
import type { Uploading } from '../uploading.js';
import { videoTexts } from './texts.js';
import { isUnderWay } from './upload-states.js';
import { VideoUpload } from './video-upload.js';

/** The uploads of the viewer, from their beginning until they are on the server or given up; they outlive every page of this tab. */
let owner: string | undefined;
let uploads: readonly VideoUpload[] = [];
const listeners = new Set<() => void>();

export const getUploads = (): readonly VideoUpload[] => uploads;

export function subscribeToUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The upload of the new post's video, if it is not whole yet. */
export const uploadOfDraft = (): VideoUpload | undefined => uploads.find(({ key }) => key === keyOfDraft);

/** The key of the upload that belongs to the new post's draft. */
let keyOfDraft: string | undefined;

/** Sends `file` as the video of the new post, on from where an earlier upload of the same file was. */
export function uploadForDraft(userId: string, file: File): VideoUpload {
  if (owner !== userId) endAll();
  owner = userId;
  const draft = draftOf(userId);
  const { video } = draft;
  const address = video?.type === 'upload' && isSameFile(video, file) ? video.address : undefined;
  const upload = new VideoUpload(file, address);
  keyOfDraft = upload.key;
  setDraft(userId, { ...draft, video: { type: 'upload', file: factsOfFile(file), address } });
  uploads = [...uploads, upload];
  upload.subscribe(() => onChange(userId, upload));
  tell();
  return upload;
}

/** Gives an upload up, and has its bytes deleted. */
export async function cancelUpload(upload: VideoUpload): Promise<void> {
  const { videos } = videoTexts;
  if (upload === uploadOfDraft()) {
    keyOfDraft = undefined;
    if (owner !== undefined) setDraft(owner, { ...draftOf(owner), video: null });
  }
  try {
    await upload.cancel();
    toast({ type: 'info', message: videos.canceled });
  } catch (error) {
    if (!(error instanceof SessionOverError)) toast({ type: 'warning', message: videos.notFreed });
  }
}

/**
 * Resolves when the new post's video is on the server. A paused one goes on: somebody waits for it.
 * @throws what it failed for, UploadCanceled
 */
export function untilOnServer(upload: VideoUpload): Promise<void> {
  upload.resume();
  return new Promise((resolve, reject) => {
    const look = () => {
      const { state, failure } = upload.getView();
      if (state === 'success') resolve();
      else if (state === 'error') reject(failure as Error);
      else if (state === 'canceling' || state === 'canceled') reject(new UploadCanceled());
      else return;
      stop();
    };
    const stop = upload.subscribe(look);
    look();
  });
}

export class UploadCanceled extends Error {
  override readonly name = 'UploadCanceled';
}

const factsOfFile = ({ name, type, size, lastModified }: File): DraftUpload['file'] => ({
  ...{ name, type, size, lastModified },
});

/** As far as a page can tell without reading both. */
export const isSameFile = ({ file: known }: DraftUpload, file: File): boolean =>
  known !== undefined && JSON.stringify(known) === JSON.stringify(factsOfFile(file));

function onChange(userId: string, upload: VideoUpload): void {
  const { state, address, id } = upload.getView();
  const draft = draftOf(userId);
  const { video } = draft;
  const isDrafts = upload === uploadOfDraft() && video?.type === 'upload';
  if (isDrafts && (video.id !== id || video.address !== address))
    // What is whole does not go on at its address.
    setDraft(userId, { ...draft, video: { ...video, id, address: id === undefined ? address : undefined } });
  if (state === 'success' || state === 'canceled') {
    uploads = uploads.filter((one) => one !== upload);
    void queryClient.invalidateQueries({ queryKey: queryKeys.storage });
  }
  tell();
}

/** Undefined: nothing is left on its way. */
function tellUploading(userId: string, uploading: Uploading | undefined): void {
  if (JSON.stringify(keptDraft<Uploading>(userId, UPLOADING)) === JSON.stringify(uploading)) return;
  keepDraft(userId, UPLOADING, uploading, { stored: false });
}

function tell(): void {
  if (owner === undefined) return;
  const upload = uploadOfDraft();
  const percent = upload && isUnderWay(upload.getView().state) ? upload.percent : undefined;
  tellUploading(owner, uploads.length > 0 ? { percent } : undefined);
  for (const listener of listeners) listener();
}

function endAll(): void {
  const ended = uploads;
  if (owner !== undefined) tellUploading(owner, undefined);
  uploads = [];
  keyOfDraft = undefined;
  owner = undefined;
  for (const upload of ended) upload.end();
  for (const listener of listeners) listener();
}

// With the session ends what it was doing; the draft keeps where the same file can go on.
session.subscribe(() => {
  if (owner !== undefined && viewerId() !== owner) endAll();
});

// What was given up for want of a network goes on when it is back (UI-53).
window.addEventListener('online', () => {
  for (const upload of uploads) {
    const { failure } = upload.getView();
    if (failure instanceof RetryLimitError && failure.cause instanceof NetworkError) upload.resume();
  }
});
