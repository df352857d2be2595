import { ApiError, SessionOverError } from '../../../server/http/api-error.js';
import { queryClient } from '../../../server/queries/query-client.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { session } from '../../../server/session/session.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { checkVideo } from '../../../server/videos/check-video.js';
import type { VideoRefusal } from '../../../server/videos/check-video.js';
import { ProbeError, probeVideo } from '../../../server/videos/probe-video.js';
import { deleteUpload } from '../../../server/videos/send-video.js';
import { draftOf, setDraft } from '../drafts.js';
import { freeUploads } from '../photos/photo-list.js';
import { newPostOf } from '../post-fields.js';
import type { DraftUpload, NewPost } from '../post-fields.js';
import { knowOwnVideo, nameOwnVideo } from '../players/own-videos.js';
import { videoTexts } from './texts.js';
import { cancelUpload, isSameFile, untilOnServer, uploadForDraft, uploadOfDraft } from './uploads.js';
import { videoFailure } from './video-failure.js';

/** What is wrong with the last choice of a file. */
type ChoiceProblem = VideoRefusal | 'none';

let problem: ChoiceProblem | undefined;
const listeners = new Set<() => void>();

export const getChoiceProblem = (): ChoiceProblem | undefined => problem;

export function subscribeToChoice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setChoiceProblem(next: ChoiceProblem | undefined): void {
  problem = next;
  for (const listener of listeners) listener();
}

/** The first of the chosen files becomes the video of the new post, in place of the one that it has, unless it is no video. */
export async function chooseVideo(userId: string, files: readonly File[]): Promise<void> {
  const [file] = files;
  setChoiceProblem(file ? checkVideo(file) : 'none');
  if (!file || problem) return;
  const { video } = draftOf(userId);
  const goesOn = video?.type === 'upload' && !uploadOfDraft() && isSameFile(video, file) && !video.id;
  if (!goesOn) void removeVideo(userId);
  const upload = uploadForDraft(userId, file);
  const looked = lookInto(upload.key, file);
  upload.subscribe(() => {
    const { id } = upload.getView();
    // What is published before the poster is there gets it, too.
    if (id !== undefined) void looked.then(() => nameOwnVideo(upload.key, id));
  });
  await looked;
}

/** Keeps what this browser can read of the file that the upload `key` sends. The server may read one that the browser cannot. */
async function lookInto(key: string, file: File): Promise<void> {
  try {
    const { poster, ...facts } = await probeVideo(file);
    knowOwnVideo(key, { facts, poster: URL.createObjectURL(poster) });
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    knowOwnVideo(key, { fault: error.fault });
  }
}

/** Takes the video out of the new post and frees its storage. */
export async function removeVideo(userId: string): Promise<void> {
  setChoiceProblem(undefined);
  const upload = uploadOfDraft();
  if (upload) return cancelUpload(upload);
  const draft = draftOf(userId);
  const { video } = draft;
  if (!video) return;
  setDraft(userId, { ...draft, video: null });
  if (video.type === 'url') return;
  const onNotFreed = () => toast({ type: 'warning', message: videoTexts.videos.notFreed });
  const onStored = () => void queryClient.invalidateQueries({ queryKey: queryKeys.storage });
  if (video.id !== undefined) return freeUploads([video.id], { onStored, onNotFreed });
  if (video.address === undefined) return;
  try {
    await deleteUpload(video.address);
    onStored();
  } catch (error) {
    if (!(error instanceof SessionOverError)) onNotFreed();
  }
}

function changeDraftVideo(
  userId: string,
  id: string,
  change: (video: DraftUpload) => DraftUpload | null,
): void {
  const draft = draftOf(userId);
  if (draft.video?.type === 'upload' && draft.video.id === id)
    setDraft(userId, { ...draft, video: change(draft.video) });
}

/** The server does not have it any more. */
export const dropDraftVideo = (userId: string, id: string): void => changeDraftVideo(userId, id, () => null);

/** The server could make no video of it (MEDIA-11), so that it cannot be published. */
export const markFailed = (userId: string, id: string, problem: string): void =>
  changeDraftVideo(userId, id, (video) => ({ ...video, id: undefined, problem }));

/**
 * The new post as it is once its video is on the server, which what is typed meanwhile is part of.
 * @throws ApiError that says at `video` why it did not get there
 */
export async function whenUploaded(): Promise<NewPost> {
  const state = session.getState();
  if (state.status !== 'signed-in') throw new SessionOverError('signed out');
  const { id, isCoach } = state.user;
  const upload = uploadOfDraft();
  try {
    if (upload) await untilOnServer(upload);
  } catch (error) {
    const message = videoFailure(error, upload!.file.name, videoTexts);
    if (message === undefined) throw error;
    throw new ApiError(0, 'upload-failed', message, [{ path: 'video', code: 'upload-failed', message }]);
  }
  return newPostOf(draftOf(id), isCoach);
}
