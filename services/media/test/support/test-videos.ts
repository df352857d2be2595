import { createLogger } from '@pulso/platform/logging/logger';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { Writes } from '@pulso/platform/postgres/writes';
import type { QueueBackend } from '@pulso/platform/queue/queue-backend';
import { type RunningWorker, startWorker } from '@pulso/platform/service/start-worker';
import { readWorkerSettings } from '@pulso/platform/service/worker-settings';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { Registry } from 'prom-client';
import { piecesOf } from '../../src/store/stored-pieces.js';
import type { Video } from '../../src/store/video.entity.js';
import { StoredVideos } from '../../src/store/stored-videos.js';
import { VideoRepository } from '../../src/store/video.repository.js';
import { objectKeyOf } from '../../src/store/asset.js';
import { videoWorker } from '../../src/video-worker.js';
import { VideoWork } from '../../src/video-worker/video-work.js';
import type { TestMedia } from '../start.js';

/** A queue that brings nothing: the suites say when the worker works. */
const NO_QUEUES: QueueBackend = {
  openQueue: () => ({
    addBulk: async () => undefined,
    getJobCounts: async () => ({}),
    on: () => undefined,
    close: async () => undefined,
  }),
  openWorker: () => ({ on: () => undefined, run: async () => undefined, close: async () => undefined }),
  close: async () => undefined,
};

const PIECE_BYTES = 16 * 1024;
const DAY_MS = 24 * 60 * 60_000;

export interface UploadedFile {
  bytes: Buffer;
  type?: string;
  ownerId?: string;
  name?: string;
}

/** The video worker on media's store. It prepares when `work` is called. */
export class TestVideos {
  private constructor(
    readonly media: TestMedia,
    readonly worker: RunningWorker,
    readonly registry: Registry,
    /** The channels of the signals that the worker has sent. */
    readonly heard: string[],
    readonly logged: string[],
  ) {}

  static async start(media: TestMedia): Promise<TestVideos> {
    const [heard, logged]: string[][] = [[], []];
    const signals = new InProcessSignals();
    signals.listen({ heard: (channel) => void heard!.push(channel) });
    const registry = new Registry();
    const worker = await startWorker(videoWorker, {
      settings: readWorkerSettings(videoWorker, media.service.env),
      ...{ queues: NO_QUEUES, signals, clock: media.service.clock, registry },
      logger: createLogger({
        service: 'media-video',
        level: 'trace',
        destination: { write: (line) => void logged!.push(line) },
      }),
    });
    return new TestVideos(media, worker, registry, heard!, logged!);
  }

  stop(): Promise<void> {
    return this.worker.close();
  }

  /** A whole upload, as the last byte of one leaves it. Resolves to its id. */
  async uploaded({
    bytes,
    type = 'video/mp4',
    ownerId = this.media.newId(),
    name = 'clip.mp4',
  }: UploadedFile) {
    const { clock } = this.media.service;
    const id = newIdAt(clock.now());
    const objects = this.worker.get(ObjectStore);
    const keys: [number, number, string][] = [];
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES);
      const key = `${piecesOf(id)}${start}-a`;
      await objects.put(key, piece);
      keys.push([start, piece.length, key]);
    }
    await this.worker.get(Writes).run(async (transaction) => {
      const { manager } = transaction;
      await manager.query(
        `INSERT INTO assets (id, owner_id, state, kind, purpose, bytes, created_at, expires_at)
         VALUES ($1, $2, 'ready', 'video', 'post', $3, $4, $5)`,
        [id, ownerId, bytes.length, new Date(clock.now()), new Date(clock.now() + DAY_MS)],
      );
      await manager.query(
        "INSERT INTO uploads (id, length, received, name, type, metadata) VALUES ($1, $2, $2, $3, $4, '')",
        [id, bytes.length, name, type],
      );
      for (const [start, length, key] of keys)
        await manager.query('INSERT INTO upload_pieces VALUES ($1, $2, $3, $4)', [id, start, length, key]);
      await this.worker
        .get(VideoRepository)
        .begin({ id, ownerId, name, type, bytes: bytes.length }, transaction);
    });
    return id;
  }

  /** Uploads and prepares. */
  async prepared(file: UploadedFile): Promise<Video> {
    const id = await this.uploaded(file);
    await this.work();
    return this.row(id);
  }

  /** Does what is due, once. */
  async work(): Promise<void> {
    const work = this.worker.get(VideoWork);
    for (const id of await work.due(100)) await work.perform(id);
  }

  /** As its owner's deletion leaves it; its files are removed later. */
  async deleted(id: string): Promise<void> {
    await this.media.service.tamper("UPDATE assets SET state = 'removing' WHERE id = $1", [id]);
  }

  async row(id: string): Promise<Video> {
    const video = await this.worker.get(StoredVideos).find(id);
    if (!video) throw new Error(`there is no video ${id}`);
    return video;
  }

  async file(id: string, variant: 'video' | 'thumbnail'): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.worker.get(ObjectStore).read(objectKeyOf(id, variant, 'video')))
      chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /** The keys of all stored objects of a video, of its pieces and of its files. */
  async objectsOf(id: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.worker.get(ObjectStore).list('')) if (key.includes(id)) keys.push(key);
    return keys;
  }

  async countedBytes(id: string): Promise<number | undefined> {
    const rows = await this.media.service.rows<{ bytes: number }>('SELECT bytes FROM assets WHERE id = $1', [
      id,
    ]);
    return rows[0]?.bytes;
  }

  async outcomes(outcome: string): Promise<number> {
    const { values } = await this.registry.getSingleMetric('pulso_videos_total')!.get();
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
  }
}
