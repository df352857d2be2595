import { open } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { histogram } from '@pulso/platform/telemetry/metrics';
import { Registry } from 'prom-client';
import { StoredPieces } from '../store/stored-pieces.js';
import { objectKeyOf } from '../store/asset.js';
import type { ClaimedVideo, ReadyVideo } from '../store/video.repository.js';
import { PrepareVideo } from './prepare-video.js';
import { ProbeVideo } from './probe-video.js';
import { VideoProblem } from './video-failures.js';
import { FAMILY_BYTES, familyOf, type VideoFamily } from './video-family.js';
import { VideoThumbnail } from './video-thumbnail.js';
import type { Workplace } from './video-tools.js';

/** From a picture's thumbnail to the longest encoding. */
const BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 1_200];

type Step = 'receive' | 'probe' | 'prepare' | 'thumbnail' | 'store';

/** Makes the files of a video from its upload, and stores them. */
@Injectable()
export class MakeVideo {
  private readonly seconds;

  constructor(
    private readonly pieces: StoredPieces,
    private readonly objects: ObjectStore,
    private readonly probe: ProbeVideo,
    private readonly prepare: PrepareVideo,
    private readonly thumbnail: VideoThumbnail,
    registry: Registry,
  ) {
    this.seconds = histogram(registry, {
      name: 'pulso_video_step_seconds',
      help: 'Time that the worker took for a step of a video',
      labelNames: ['step'],
      buckets: BUCKETS,
    });
  }

  /** Rejects with VideoProblem where the file is to blame, with any other error where it is not. */
  async execute(claim: ClaimedVideo, place: Workplace): Promise<ReadyVideo> {
    const file = join(place.directory, 'upload');
    await this.timed('receive', () => this.receive(claim, file, place));
    const family = await declaredFamily(claim, file);
    const found = await this.timed('probe', () => this.probe.execute(file, family, place));
    const prepared = await this.timed('prepare', () => this.prepare.execute(file, found, place));
    const thumbnail = await this.timed('thumbnail', () => this.thumbnail.execute(prepared, place));
    place.signal.throwIfAborted();
    await this.timed('store', async () => {
      await this.objects.putFile(objectKeyOf(claim.id, 'video', 'video'), prepared.file);
      await this.objects.put(objectKeyOf(claim.id, 'thumbnail', 'video'), thumbnail);
    });
    const { bytes, probed } = prepared;
    const { durationMs, width, height } = probed;
    return { type: probed.family.type, bytes, durationMs, width, height };
  }

  private async receive({ id, bytes }: ClaimedVideo, file: string, { signal }: Workplace): Promise<void> {
    const written = createWriteStream(file);
    await pipeline(await this.pieces.open(id), written, { signal });
    if (written.bytesWritten !== bytes)
      throw new Error(`the pieces have ${written.bytesWritten} bytes instead of ${bytes}`);
  }

  private async timed<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const end = this.seconds.startTimer({ step });
    try {
      return await work();
    } finally {
      end();
    }
  }
}

/** That of the content, which must be what the upload has said (MEDIA-11). */
async function declaredFamily({ type }: ClaimedVideo, path: string): Promise<VideoFamily> {
  const begin = Buffer.alloc(FAMILY_BYTES);
  const file = await open(path);
  try {
    await file.read(begin, 0, FAMILY_BYTES, 0);
  } finally {
    await file.close();
  }
  const family = familyOf(begin);
  if (family?.type === type) return family;
  throw new VideoProblem(
    VALIDATION_MESSAGES.videoKind,
    `it is ${family?.type ?? 'of no kind'}, and not ${type}`,
  );
}
