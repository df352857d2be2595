import type { Video } from '../../src/store/video.entity.js';
import { objectKeyOf } from '../../src/store/asset.js';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import type { TestMedia } from '../start.js';

/** Bytes that differ from place to place. */
export const someBytes = (length: number) =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 251));

/** The id of a video whose upload is whole and waits for the worker. */
export async function aWaitingVideo(media: TestMedia, ownerId: string, file: Uint8Array): Promise<string> {
  const tus = media.tusOf(ownerId);
  const id = await tus.begin({ length: file.length });
  const { status } = await tus.patch(id, 0, file);
  if (status !== 204) throw new Error(`the upload was answered with ${status}`);
  return id;
}

/** The same after the worker has stored its file and its thumbnail. */
export async function aReadyVideo(
  media: TestMedia,
  ownerId: string,
  {
    file,
    type = 'video/webm',
    durationMs = 4_000,
  }: { file: Buffer } & Partial<Pick<Video, 'type' | 'durationMs'>>,
): Promise<string> {
  const id = await aWaitingVideo(media, ownerId, file);
  const objects = media.service.get(ObjectStore);
  await objects.put(objectKeyOf(id, 'video', 'video'), file);
  await objects.put(objectKeyOf(id, 'thumbnail', 'video'), Buffer.from('a picture'));
  await hasBecome(media, id, 'ready', { type, durationMs });
  return id;
}

/** What the worker writes at its end. */
export function hasBecome(
  media: TestMedia,
  id: string,
  status: Video['status'],
  { type = 'video/mp4', durationMs = 0 }: Partial<Pick<Video, 'type' | 'durationMs'>> = {},
): Promise<unknown> {
  return media.service.rows(
    `UPDATE videos SET status = $2, type = $3, duration_ms = $4, width = 640, height = 360, due_at = NULL WHERE id = $1`,
    [id, status, type, durationMs],
  );
}
