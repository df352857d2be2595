import { DefaultHttpStack, Upload } from 'tus-js-client';
import type { DetailedError, HttpRequest, HttpResponse } from 'tus-js-client';
import { ApiError, apiErrorFrom, hasStatus, NetworkError, SessionOverError } from '../http/api-error.js';
import { rememberCaller } from '../client/caller.js';
import { session } from '../session/session.js';
import { videoType } from './check-video.js';

/** Up to so many bytes a video is sent in one request; also the first chunk of a resumable upload (MEDIA-9). */
const FIRST_CHUNK = 262_144;
/** A chunk is smaller than that. */
const CHUNK_BOUND = 33_554_432;
/** In ms without a byte or an answer: the connection is lost, though nobody has said so (LIMIT-6). */
const LONGEST_SILENCE = 180_000;

const UPLOADS = '/api/uploads';

/** One attempt to send a video. */
interface VideoSending {
  file: File;
  /** Where the server takes its bytes, if an earlier attempt knows. */
  address: () => string | undefined;
  /** The same for all attempts: what the server has made for it once, it answers with again. */
  key: string;
  signal: AbortSignal;
  /** Bytes that have left, of this file. */
  onProgress: (bytes: number) => void;
  /** Bytes that the server has. */
  onAccepted: (bytes: number) => void;
  onAddress: (address: string) => void;
}

/**
 * Sends a video, or what the server lacks of it.
 * @returns its id
 * @throws ApiError, NetworkError, SessionOverError, and the signal's reason
 */
export function sendVideo(sending: VideoSending): Promise<string> {
  const send = sending.file.size <= FIRST_CHUNK ? sendWhole : sendInChunks;
  return asViewer((caller) => send(sending, caller));
}

/** DELETE of an upload that is not whole. @throws as `sendVideo`; one that is gone is no failure. */
export async function deleteUpload(address: string): Promise<void> {
  try {
    await asViewer(async (caller) => {
      try {
        await Upload.terminate(absolute(address), { ...caller, retryDelays: null });
      } catch (error) {
        throw causeOf(error);
      }
    });
  } catch (error) {
    if (!(error instanceof ApiError && isGone(error.status))) throw error;
  }
}

const absolute = (address: string): string => new URL(address, location.origin).href;

const isGone = (status: number) => status === 404 || status === 410;

async function sendWhole({ file, signal, onProgress }: VideoSending, caller: Caller): Promise<string> {
  const { onBeforeRequest, onAfterResponse } = caller;
  const request = new DefaultHttpStack({}).createRequest('POST', '/api/media/videos');
  const form = new FormData();
  form.append('file', file.slice(0, file.size, videoType(file)), file.name);
  await onBeforeRequest(request);
  signal.throwIfAborted();
  return withSilenceLimit(signal, async (heard, over) => {
    request.setProgressHandler((bytes) => {
      heard();
      // The form is a little longer than the file.
      onProgress(Math.min(bytes, file.size));
    });
    over.addEventListener('abort', () => void request.abort());
    let response: HttpResponse;
    try {
      response = await request.send(form);
    } catch (cause) {
      throw new NetworkError('no answer', { cause });
    }
    onAfterResponse(request, response);
    return (JSON.parse(response.getBody()) as { id: string }).id;
  });
}

function sendInChunks(sending: VideoSending, caller: Caller): Promise<string> {
  const { file, key, signal, onProgress, onAccepted, onAddress } = sending;
  const address = sending.address();
  let begun = false;
  return withSilenceLimit(
    signal,
    (heard, over) =>
      new Promise<string>((resolve, reject) => {
        const upload = new Upload(file, {
          endpoint: absolute(UPLOADS),
          uploadUrl: address && absolute(address),
          metadata: { filename: file.name, filetype: videoType(file) ?? file.type },
          // The draft keeps the upload's address, so that both are forgotten together.
          storeFingerprintForResuming: false,
          // `untilSent` tries again.
          retryDelays: null,
          chunkSize: FIRST_CHUNK,
          onBeforeRequest: async (request) => {
            await caller.onBeforeRequest(request);
            // The library forgets an end that comes before its first request.
            over.throwIfAborted();
            // Made again after a lost answer, it is the same upload.
            if (request.getMethod() === 'POST') request.setHeader('Idempotency-Key', key);
          },
          onAfterResponse: caller.onAfterResponse,
          onUploadUrlAvailable: () => onAddress(pathOf(upload)),
          onProgress: (bytes) => {
            heard();
            // At first it tells where the upload goes on.
            if (!begun) onAccepted(bytes);
            begun = true;
            onProgress(bytes);
          },
          onChunkComplete: (_size, bytes) => {
            heard();
            onAccepted(bytes);
            // It is read before each chunk.
            const next = 2 * (upload.options.chunkSize ?? FIRST_CHUNK);
            if (next < CHUNK_BOUND) upload.options.chunkSize = next;
          },
          onSuccess: () => resolve(pathOf(upload).slice(UPLOADS.length + 1)),
          onError: (error) => reject(causeOf(error)),
        });
        over.addEventListener('abort', () => void upload.abort());
        upload.start();
      }),
  );
}

const pathOf = ({ url }: Upload): string => new URL(url!, location.origin).pathname;

/** Rejects with the signal's reason, or NetworkError when nothing is `heard` for too long; `over` is aborted then. */
async function withSilenceLimit<Result>(
  signal: AbortSignal,
  act: (heard: () => void, over: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end!: (reason: unknown) => void;
  const ended = new Promise<never>((_, reject) => (end = reject));
  const stop = (reason: unknown) => {
    end(reason);
    over.abort();
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop(new NetworkError('silent')), LONGEST_SILENCE);
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  heard();
  try {
    return await Promise.race([ended, act(heard, over.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

interface Caller {
  onBeforeRequest: (request: HttpRequest) => Promise<void>;
  /** @throws ApiError for a refusal */
  onAfterResponse: (request: HttpRequest, response: HttpResponse) => void;
}

/**
 * Sends as the viewer of this moment, by the session's access token. Where the server refuses the token it is renewed and all is
 * sent once more; where it refuses the new one, too, the session is over.
 */
async function asViewer<Result>(send: (caller: Caller) => Promise<Result>): Promise<Result> {
  const checkCaller = rememberCaller(session);
  let used: string | undefined;
  const callerWith = (tokenOf: () => Promise<string | undefined>): Caller => ({
    onBeforeRequest: async (request) => {
      const token = await tokenOf();
      checkCaller();
      // The refresh got no answer.
      if (token === undefined) throw new NetworkError('no access token');
      used = token;
      request.setHeader('Authorization', `Bearer ${token}`);
    },
    onAfterResponse: (request, response) => {
      const status = response.getStatus();
      // An upload that is gone is begun anew by the library.
      if (status < 400 || (request.getMethod() === 'HEAD' && isGone(status))) return;
      throw apiErrorFrom(status, problemOf(response), response.getHeader('Retry-After'));
    },
  });
  try {
    return await send(callerWith(() => session.accessToken()));
  } catch (error) {
    if (used === undefined || !hasStatus(error, 401)) throw error;
  }
  const old = used;
  try {
    return await send(callerWith(() => session.replace(old)));
  } catch (error) {
    checkCaller();
    if (hasStatus(error, 401)) session.forceSignOut();
    throw error;
  }
}

function problemOf(response: HttpResponse): unknown {
  try {
    return JSON.parse(response.getBody());
  } catch {
    // The tus library of the server answers in plain text, a proxy in HTML.
    return undefined;
  }
}

/** What a failure of the library comes from. */
function causeOf(error: unknown): Error {
  const { causingError } = error as Partial<DetailedError>;
  for (const known of [ApiError, NetworkError, SessionOverError])
    if (causingError instanceof known) return causingError;
  return new NetworkError('no answer', { cause: error });
}
