import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ArchiveStatus, Image, Purpose, type Video, VideoStatus } from '@pulso/contracts/media/v1/media';
import type { PostImage } from '@pulso/contracts/posts/v1/posts';
import type { FakeServices } from './fake-clients.js';
import { nothingHeld } from './fake-shapes.js';

export const MEDIA_ID = '0198f2c1-6a3d-7b94-8e05-2c7d1f9a4b60';

export function anImage(changes: Partial<Image> = {}): Image {
  return {
    facts: {
      id: MEDIA_ID,
      width: 1920,
      height: 1080,
      blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      originalName: 'rowing.jpg',
      originalSize: 2_400_000,
      bytes: 310_000,
    },
    purpose: Purpose.PURPOSE_POST,
    url: `/media/${MEDIA_ID}/full?e=0&x=1&k=k1&s=mac`,
    thumbnail: `/media/${MEDIA_ID}/thumbnail?e=0&x=1&k=k1&s=mac`,
    ...changes,
  };
}

export function aPostImage(changes: Partial<PostImage> = {}): PostImage {
  const { facts, url, thumbnail } = anImage();
  return { ...facts!, url, thumbnail, alt: 'A rower', caption: '', ...changes };
}

export function aVideo(changes: Partial<Video> = {}): Video {
  return {
    facts: {
      id: MEDIA_ID,
      version: 7,
      status: VideoStatus.VIDEO_STATUS_READY,
      problem: '',
      name: 'start.mp4',
      type: 'video/mp4',
      bytes: 7_340_032,
      durationMs: 12_500,
      width: 1080,
      height: 1920,
    },
    url: `/media/${MEDIA_ID}/video?e=0&x=1&k=k1&s=mac`,
    thumbnail: `/media/${MEDIA_ID}/thumbnail?e=0&x=1&k=k1&s=mac`,
    postId: '',
    ...changes,
  };
}

export function mediaAnswers(): FakeServices['media'] {
  return {
    exportUser: nothingHeld,
    getArchive: () => Promise.resolve({ status: ArchiveStatus.ARCHIVE_STATUS_UNSPECIFIED, url: '' }),
    deleteArchive: () => Promise.resolve({}),
    getAsset: () => Promise.resolve({ image: anImage() }),
    deleteAsset: () => Promise.resolve({}),
    getImage: () => Promise.reject(new Error('GetAsset takes its place')),
    deleteImage: () => Promise.reject(new Error('DeleteAsset takes its place')),
    getStorage: () => Promise.resolve({ quotaBytes: 524_288_000, bytesUsed: 310_000 }),
    claimForPost: ({ postId }) => Promise.resolve({ ticket: 'ticket', postId }),
    releaseClaim: () => Promise.resolve({}),
    claimForProfile: () => Promise.resolve({ ticket: 'ticket' }),
  };
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Media's private listener: answers by `handle`, and remembers what it was asked. */
export interface FakeListener {
  url: string;
  handle: Handle;
  requests: IncomingMessage[];
  close(): Promise<void>;
}

export async function startListener(handle: Handle): Promise<FakeListener> {
  const server = createServer((request, response) => {
    listener.requests.push(request);
    // A gateway that gives up is no failure of the test.
    request.on('error', () => undefined);
    void Promise.resolve(listener.handle(request, response)).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const listener: FakeListener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle,
    requests: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return listener;
}

/** Reads an upload to its end and answers with an image. */
export async function takeUpload(
  request: IncomingMessage,
  response: ServerResponse,
  image = anImage(),
): Promise<number> {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  response.writeHead(201, { 'content-type': 'application/x-protobuf' });
  response.end(Image.encode(image).finish());
  return bytes;
}

export function refuse(response: ServerResponse, status: number, refusal: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
}
