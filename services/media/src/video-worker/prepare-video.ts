import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { fittedIn } from './fitted-in.js';
import { type ProbedVideo, ProbeVideo } from './probe-video.js';
import { ProgramFailed, VideoProblem } from './video-failures.js';
import { MP4, type VideoFamily } from './video-family.js';
import { VideoLimits } from './video-limits.js';
import { onceAgain, VideoTools, type Workplace } from './video-tools.js';

interface Played {
  video: readonly string[];
  audio: readonly string[];
}

/** What browsers play, by the family that holds it. */
const PLAYED: Readonly<Record<VideoFamily['type'], Played>> = {
  'video/mp4': { video: ['h264'], audio: ['aac', 'mp3'] },
  'video/webm': { video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'] },
  // Their pictures are Theora, which browsers have given up.
  'video/ogg': { video: [], audio: [] },
};
/** 8 bits, colours halved both ways. */
const PLAYED_PIXELS = ['yuv420p', 'yuvj420p'];

const ENCODED_VIDEO = 'libx264 -preset veryfast -crf 23 -maxrate 5M -bufsize 10M'.split(' ');
const ENCODED_AUDIO: Readonly<Record<VideoFamily['type'], readonly string[]>> = {
  'video/mp4': ['aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'],
  'video/webm': ['libopus', '-b:a', '96k', '-ac', '2', '-ar', '48000'],
  'video/ogg': [],
};
const PACKED: Readonly<Record<VideoFamily['type'], readonly string[]>> = {
  'video/mp4': ['-movflags', '+faststart', '-f', 'mp4'],
  'video/webm': ['-f', 'webm'],
  'video/ogg': [],
};
/** Beyond the most frames, so that a file with more of them can be told from one with as many. */
const FRAMES_MORE = 30;

/** What is written. */
interface Plan {
  family: VideoFamily;
  isVideoCopied: boolean;
  isAudioCopied: boolean;
}

/** A file that browsers play, without the metadata that playing does not need. */
export interface PreparedVideo {
  file: string;
  bytes: number;
  /** Of the file, not of the upload. */
  probed: ProbedVideo;
}

/**
 * Makes the file that is stored. It always is written anew, with one stream of pictures and at most one of sound, and with nothing else that
 * the upload had: places, names, subtitles, attachments and data stay behind (MEDIA-24). What browsers play is copied, all else
 * encoded anew within limits.
 */
@Injectable()
export class PrepareVideo {
  constructor(
    private readonly tools: VideoTools,
    private readonly probe: ProbeVideo,
    private readonly limits: VideoLimits,
  ) {}

  /** Rejects with VideoProblem. */
  async execute(file: string, found: ProbedVideo, place: Workplace): Promise<PreparedVideo> {
    const plan = planOf(found, this.limits.playedSide);
    if (!plan.isVideoCopied) this.requireFewFrames(found);
    const output = join(place.directory, 'prepared');
    await this.write(
      { file: output, args: this.argumentsOf(plan, found) },
      plan,
      { file, family: found.family },
      place,
    );
    const { size } = await stat(output);
    // At this size it was cut off.
    if (size >= this.limits.outputBytes) throw notPrepared(`it became ${size} bytes`);
    const probed = await this.probe.execute(output, plan.family, place);
    if (probed.durationMs === 0)
      throw new VideoProblem(VALIDATION_MESSAGES.videoMetadata, 'it takes no time');
    // Its header has said less than there was.
    if (!plan.isVideoCopied) this.requireFewFrames(probed);
    return { file: output, bytes: size, probed };
  }

  private async write(
    output: { file: string; args: readonly string[] },
    { isVideoCopied, isAudioCopied }: Plan,
    input: { file: string; family: VideoFamily },
    place: Workplace,
  ): Promise<void> {
    const limits = isVideoCopied && isAudioCopied ? this.limits.copy : this.limits.transcode;
    try {
      const text = VALIDATION_MESSAGES.videoNotPrepared;
      await onceAgain(text, () => this.tools.convert(input, output, limits, place));
    } catch (error) {
      if (error instanceof ProgramFailed) throw notPrepared(error.message);
      throw error;
    }
  }

  /** Does not begin what cannot be done in time. */
  private requireFewFrames({ durationMs, video: { framesPerSecond } }: ProbedVideo): void {
    const frames = Math.round((durationMs / 1000) * framesPerSecond);
    if (frames > this.limits.frames) throw notPrepared(`it has ${frames} frames to encode`);
  }

  private argumentsOf({ family, isVideoCopied, isAudioCopied }: Plan, found: ProbedVideo): string[] {
    const { video, audio } = found;
    const { durationMs, outputBytes } = this.limits;
    return [
      ...['-map', `0:${video.index}`, '-c:v', ...(isVideoCopied ? ['copy'] : this.encoded(found))],
      ...(audio ? ['-map', `0:${audio.index}`] : []),
      ...(audio ? ['-c:a', ...(isAudioCopied ? ['copy'] : ENCODED_AUDIO[family.type])] : []),
      ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1'],
      // The same bytes each time, without the program's own name.
      ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
      // Streams whose packets are far apart wait for each other.
      ...['-max_muxing_queue_size', '4096'],
      ...['-fs', String(outputBytes), '-t', String(durationMs / 1000 + 1)],
      ...PACKED[family.type],
    ];
  }

  private encoded({ width, height }: ProbedVideo): string[] {
    const fitted = fittedIn(this.limits.encodedSide, { width, height });
    const filters = `scale=${fitted.width}:${fitted.height},setsar=1,format=yuv420p`;
    return [...ENCODED_VIDEO, '-vf', filters, '-frames:v', String(this.limits.frames + FRAMES_MORE)];
  }
}

const notPrepared = (detail: string) => new VideoProblem(VALIDATION_MESSAGES.videoNotPrepared, detail);

function planOf({ family, video, audio, width, height }: ProbedVideo, playedSide: number): Plan {
  const isVideoCopied =
    PLAYED[family.type].video.includes(video.codec) &&
    PLAYED_PIXELS.includes(video.pixels) &&
    Math.max(width, height) <= playedSide;
  const written = isVideoCopied ? family : MP4;
  const isAudioCopied = audio === undefined || PLAYED[written.type].audio.includes(audio.codec);
  return { family: written, isVideoCopied, isAudioCopied };
}
