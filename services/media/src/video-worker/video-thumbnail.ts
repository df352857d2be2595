import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import sharp from 'sharp';
import { fittedIn } from './fitted-in.js';
import type { PreparedVideo } from './prepare-video.js';
import { ProgramFailed, VideoProblem } from './video-failures.js';
import { VideoLimits } from './video-limits.js';
import { onceAgain, VideoTools, type Workplace } from './video-tools.js';

/** In seconds. */
const PLACE = 1;
const QUALITY = 80;
const CHANNELS = 3;

/** A picture of a video at 1 s, or its first one where it is shorter (MEDIA-8). */
@Injectable()
export class VideoThumbnail {
  constructor(
    private readonly tools: VideoTools,
    private readonly limits: VideoLimits,
  ) {}

  /** A JPEG. Rejects with VideoProblem. */
  async execute(prepared: PreparedVideo, place: Workplace): Promise<Buffer> {
    const isLonger = prepared.probed.durationMs > PLACE * 1000;
    // The last picture may begin before 1 s.
    const found =
      (isLonger ? await this.at(PLACE, prepared, place) : undefined) ?? (await this.at(0, prepared, place));
    if (found) return found;
    throw new VideoProblem(VALIDATION_MESSAGES.videoThumbnail, 'none of its pictures can be decoded');
  }

  /** Undefined where there is no picture. */
  private async at(
    from: number,
    { file, probed }: PreparedVideo,
    place: Workplace,
  ): Promise<Buffer | undefined> {
    const { width, height } = fittedIn(this.limits.thumbnailSide, probed);
    const pixels = join(place.directory, 'pixels');
    await rm(pixels, { force: true });
    const filters = `scale=${width}:${height},setsar=1`;
    const args = ['-map', `0:${probed.video.index}`, '-frames:v', '1', '-vf', filters];
    args.push('-pix_fmt', 'rgb24', '-f', 'rawvideo');
    const { family } = probed;
    try {
      await onceAgain(VALIDATION_MESSAGES.videoThumbnail, () =>
        this.tools.convert({ file, family, from }, { file: pixels, args }, this.limits.thumbnail, place),
      );
    } catch (error) {
      if (error instanceof ProgramFailed) return undefined;
      throw error;
    }
    const data = await readFile(pixels);
    if (data.length !== width * height * CHANNELS) return undefined;
    return sharp(data, { raw: { width, height, channels: CHANNELS } })
      .jpeg({ quality: QUALITY })
      .toBuffer();
  }
}
