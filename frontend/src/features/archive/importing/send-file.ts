import { LIMITS } from '../../../api/limits.js';
import { ApiError, hasCode } from '../../../server/http/api-error.js';
import { uploadImage } from '../../../server/images/upload-image.js';
import type { ImagePurpose } from '../../../server/images/upload-image.js';
import { VIDEO_BYTES } from '../../../server/videos/check-video.js';
import { sendVideo } from '../../../server/videos/send-video.js';
import { ArchiveError } from './archive-error.js';
import type { Reason } from './left-out.js';
import type { OpenedArchive } from './read-archive.js';

/** A file cannot be had or is not taken: what it belongs to comes without it. */
export class FileLeftOut extends Error {
  override readonly name = 'FileLeftOut';

  constructor(
    readonly reason: Reason,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

type Patient = <Result>(call: () => Promise<Result>) => Promise<Result>;

interface FileSending {
  archive: OpenedArchive;
  id: string;
  signal: AbortSignal;
  patiently: Patient;
}

/** Uploads a picture of the archive. @returns its new id @throws FileLeftOut, ArchiveError where the file itself is gone, and as `patiently` */
export async function sendImage(sending: FileSending, purpose: ImagePurpose): Promise<string> {
  const { archive, id, signal, patiently } = sending;
  const blob = await read(archive, id, LIMITS.imageBytes);
  const { name = '', originalSize = blob.size } = archive.source.files.get(id) ?? {};
  const image = { blob, originalName: name, originalSize };
  return (await taken(() => patiently(() => uploadImage(image, purpose, signal)))).id;
}

/**
 * Uploads a video of the archive, or what the server lacks of it: the key is the same each time, also after a reload.
 * @param onSent gets the bytes that have left so far
 * @returns its new id @throws as `sendImage`
 */
export async function sendFilm(sending: FileSending, onSent: (bytes: number) => void): Promise<string> {
  const { archive, id, signal, patiently } = sending;
  const blob = await read(archive, id, VIDEO_BYTES);
  const { name = id } = archive.source.files.get(id) ?? {};
  const file = new File([blob], name, { type: blob.type });
  let address: string | undefined;
  const send = () =>
    sendVideo({
      ...{ file, key: `import-${id}`, signal, address: () => address },
      onProgress: onSent,
      onAccepted: onSent,
      onAddress: (told) => (address = told),
    });
  return taken(() => patiently(send));
}

async function read(archive: OpenedArchive, id: string, limit: number): Promise<Blob> {
  try {
    return await archive.read(id, limit);
  } catch (cause) {
    if (!(cause instanceof ArchiveError) || cause.fault === 'gone') throw cause;
    throw new FileLeftOut(cause.fault === 'tooLarge' ? 'refusedFiles' : 'brokenFiles', { cause });
  }
}

async function taken<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (cause) {
    if (hasCode(cause, 'quota-exceeded')) throw new FileLeftOut('filesOverQuota', { cause });
    const isRefused = cause instanceof ApiError && [400, 413, 415, 422].includes(cause.status);
    throw isRefused ? new FileLeftOut('refusedFiles', { cause }) : cause;
  }
}
