import { Injectable } from '@nestjs/common';
import { runProgram } from './run-program.js';
import { ProgramStopped, VideoProblem } from './video-failures.js';
import type { VideoFamily } from './video-family.js';
import { type RunLimits, VideoLimits } from './video-limits.js';
import { VideoPrograms } from './video-programs.js';

/** The decoders that may run, by ffmpeg's names; each platform has some of them. */
const DECODERS = [
  ...['h264', 'hevc', 'vp8', 'vp9', 'libdav1d', 'libaom-av1', 'av1', 'theora', 'mpeg4', 'h263'],
  ...['aac', 'mp3', 'mp3float', 'opus', 'libopus', 'vorbis', 'flac', 'alac', 'ac3', 'eac3', 'amrnb', 'amrwb'],
  ...['pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_u8', 'libopencore_amrnb', 'libopencore_amrwb'],
];
/** ffprobe ends with an error where it may not open a stream's decoder: those of what is left behind, such as subtitles. */
const PROBED = [
  ...DECODERS,
  ...['mov_text', 'srt', 'subrip', 'ass', 'ssa', 'webvtt', 'text', 'dvdsub', 'cc_dec', 'mjpeg', 'png', 'bmp'],
];

/** Where a video is worked on, and what ends the work early. */
export interface Workplace {
  directory: string;
  signal: AbortSignal;
}

/** ffmpeg and ffprobe, which see local files alone, by one demuxer, within limits (MEDIA-11). */
@Injectable()
export class VideoTools {
  constructor(
    private readonly programs: VideoPrograms,
    private readonly limits: VideoLimits,
  ) {}

  /** What ffprobe prints about a file. Rejects as `runProgram` does. */
  probe(file: string, family: VideoFamily, entries: string, place: Workplace): Promise<string> {
    const args = ['-v', 'error', ...this.reading(family, PROBED), '-of', 'json', '-show_entries', entries];
    args.push(fileUrl(file));
    return this.run(this.programs.ffprobe, args, this.limits.probe, place);
  }

  /** Reads one file, from so many seconds on, and writes another one by these arguments. */
  async convert(
    { file, family, from }: { file: string; family: VideoFamily; from?: number },
    written: { file: string; args: readonly string[] },
    limits: RunLimits,
    place: Workplace,
  ): Promise<void> {
    const args = [
      ...['-hide_banner', '-nostdin', '-v', 'error', '-y', '-filter_threads', '1', '-threads', '1'],
      ...(from === undefined ? [] : ['-ss', String(from)]),
      ...this.reading(family, DECODERS),
      ...['-i', fileUrl(file), ...written.args, '-threads', '1', fileUrl(written.file)],
    ];
    await this.run(this.programs.ffmpeg, args, limits, place);
  }

  private reading({ demuxer }: VideoFamily, decoders: readonly string[]): string[] {
    const { blockBytes, pixels, streams } = this.limits;
    return [
      ...['-max_alloc', String(blockBytes), '-protocol_whitelist', 'file'],
      ...['-format_whitelist', demuxer, '-codec_whitelist', decoders.join(',')],
      ...['-max_pixels', String(pixels), '-max_streams', String(streams + 1), '-f', demuxer],
    ];
  }

  private run(program: string, args: string[], limits: RunLimits, place: Workplace): Promise<string> {
    const { memoryBytes, addressBytes, outputBytes } = this.limits;
    const fileBytes = 2 * outputBytes;
    return runProgram({ program, args, limits, memoryBytes, addressBytes, fileBytes, ...place });
  }
}

/** No name of a file is ever taken for another protocol or an option. */
const fileUrl = (path: string) => `file:${path}`;

/**
 * Runs a step that may come to a limit or crash. The machine may have been to blame once; the second time it is the file, which is a
 * VideoProblem with this text.
 */
export async function onceAgain<T>(text: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ProgramStopped)) throw error;
  }
  try {
    return await step();
  } catch (error) {
    if (error instanceof ProgramStopped) throw new VideoProblem(text, error.message);
    throw error;
  }
}
