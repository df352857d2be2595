import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ProgramFailed, VideoProblem } from './video-failures.js';
import type { VideoFamily } from './video-family.js';
import { VideoLimits } from './video-limits.js';
import { onceAgain, VideoTools, type Workplace } from './video-tools.js';

/** What is asked for of a file. Names, places and all else that it says of itself is not read. */
const ENTRIES = [
  'stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,avg_frame_rate',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
  'format=duration',
].join(':');

const stream = z.object({
  index: z.int(),
  codec_type: z.string().default(''),
  codec_name: z.string().default(''),
  pix_fmt: z.string().default(''),
  width: z.int().default(0),
  height: z.int().default(0),
  sample_aspect_ratio: z.string().default('1:1'),
  avg_frame_rate: z.string().default('0/0'),
  disposition: z.object({ attached_pic: z.int().default(0) }).default({ attached_pic: 0 }),
  side_data_list: z.array(z.object({ rotation: z.coerce.number().optional() })).default([]),
});
type Stream = z.output<typeof stream>;

const report = z.object({
  streams: z.array(stream).default([]),
  format: z.object({ duration: z.coerce.number().optional() }).default({}),
});

/** What a file holds. Sides are those that are shown: after the rotation, with square pixels. */
export interface ProbedVideo {
  family: VideoFamily;
  /** 0 where the file does not say it, as recordings of browsers. */
  durationMs: number;
  width: number;
  height: number;
  video: { index: number; codec: string; pixels: string; framesPerSecond: number };
  audio: { index: number; codec: string } | undefined;
}

/** A side of a pixel may be so many times the other one. */
const ODDEST_PIXEL = 10;

/** Reads what a file holds, and refuses what cannot be shown (MEDIA-11). */
@Injectable()
export class ProbeVideo {
  constructor(
    private readonly tools: VideoTools,
    private readonly limits: VideoLimits,
  ) {}

  /** Rejects with VideoProblem. */
  async execute(file: string, family: VideoFamily, place: Workplace): Promise<ProbedVideo> {
    const { streams, format } = report.parse(JSON.parse(await this.read(file, family, place)));
    if (streams.length > this.limits.streams) throw notPrepared(`it has ${streams.length} streams`);
    const videos = streams.filter((one) => one.codec_type === 'video' && one.disposition.attached_pic === 0);
    if (streams.length === 0) throw new VideoProblem(VALIDATION_MESSAGES.videoMetadata, 'it has no streams');
    if (videos.length === 0) throw new VideoProblem(VALIDATION_MESSAGES.videoKind, 'it has no pictures');
    if (videos.length > 1) throw notPrepared(`it has ${videos.length} streams of pictures`);
    const [shown] = videos as [Stream];
    const { width, height } = this.sidesOf(shown);
    const durationMs = Math.round((format.duration ?? 0) * 1000);
    if (durationMs > this.limits.durationMs) throw notPrepared(`it takes ${durationMs} ms`);
    const heard = streams.find((one) => one.codec_type === 'audio');
    return {
      ...{ family, durationMs: Math.max(durationMs, 0), width, height },
      video: {
        ...{ index: shown.index, codec: shown.codec_name, pixels: shown.pix_fmt },
        framesPerSecond: ratioOf(shown.avg_frame_rate, '/'),
      },
      audio: heard && { index: heard.index, codec: heard.codec_name },
    };
  }

  private async read(file: string, family: VideoFamily, place: Workplace): Promise<string> {
    const text = VALIDATION_MESSAGES.videoMetadata;
    try {
      return await onceAgain(text, () => this.tools.probe(file, family, ENTRIES, place));
    } catch (error) {
      if (error instanceof ProgramFailed) throw new VideoProblem(text, error.message);
      throw error;
    }
  }

  private sidesOf({ width, height, sample_aspect_ratio, side_data_list }: Stream) {
    const { side, pixels } = this.limits;
    if (width <= 0 || height <= 0)
      throw new VideoProblem(VALIDATION_MESSAGES.videoMetadata, 'it has no size');
    // 0:1 stands for a ratio that is not known.
    const pixel = ratioOf(sample_aspect_ratio, ':') || 1;
    const wide = Math.round(width * pixel);
    const isOdd = pixel > ODDEST_PIXEL || pixel < 1 / ODDEST_PIXEL;
    if (isOdd || Math.max(width, height, wide) > side || Math.max(width, wide) * height > pixels)
      throw notPrepared(`it has ${width} x ${height} pixels of ${sample_aspect_ratio}`);
    const turned = side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
    const isOnItsSide = Math.abs(turned) % 180 === 90;
    return isOnItsSide ? { width: height, height: wide } : { width: wide, height };
  }
}

const notPrepared = (detail: string) => new VideoProblem(VALIDATION_MESSAGES.videoNotPrepared, detail);

/** 0 where it is none. */
function ratioOf(text: string, sign: string): number {
  const [over, under] = text.split(sign).map(Number);
  const ratio = over! / under!;
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 0;
}
