import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPrograms, type VideoPrograms } from '../../src/video-worker/video-programs.js';

const run = promisify(execFile);
const LIMIT_MS = 60_000;

const PICTURES = (seconds: number, size = '64x64', rate = 10) =>
  `-f lavfi -i testsrc=size=${size}:rate=${rate}:duration=${seconds}`;
const SOUND = (seconds: number) => `-f lavfi -i sine=duration=${seconds}`;
const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';
const VP9 = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p';

interface Probed {
  streams: {
    codec_type: string;
    codec_name: string;
    pix_fmt?: string;
    width?: number;
    height?: number;
    tags?: Record<string, string>;
  }[];
  format: { tags?: Record<string, string>; duration?: string };
  chapters: unknown[];
}

/** Small videos, made by ffmpeg where they are asked for. */
export class SampleVideos {
  private made = 0;

  private constructor(
    readonly programs: VideoPrograms,
    private readonly directory: string,
  ) {}

  static async start(): Promise<SampleVideos> {
    return new SampleVideos(await findPrograms({}), await mkdtemp(join(tmpdir(), 'pulso-samples-')));
  }

  stop(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }

  /** H.264 and AAC, with its index at the end, as cameras write it. */
  mp4(seconds = 2, more = ''): Promise<Buffer> {
    return this.make(`${PICTURES(seconds)} ${SOUND(seconds)} ${H264} -c:a aac -shortest ${more}`, 'mp4');
  }

  /** Without a length in its header, as browsers record it, where it is `live`. */
  webm(seconds = 2, live = false): Promise<Buffer> {
    const sound = `${SOUND(seconds)} -c:a libopus`;
    return this.make(`${PICTURES(seconds)} ${sound} ${VP9} ${live ? '-live 1' : ''}`, 'webm');
  }

  /** Red up to 0.95 s, then blue. */
  colours(seconds: number): Promise<Buffer> {
    const red = '-f lavfi -i color=red:size=64x64:rate=20:duration=0.95';
    const blue = '-f lavfi -i color=blue:size=64x64:rate=20:duration=2';
    return this.make(`${red} ${blue} -filter_complex concat=n=2:v=1 ${H264} -t ${seconds}`, 'mp4');
  }

  large(): Promise<Buffer> {
    return this.make(`${PICTURES(1, '2560x1280', 2)} ${H264}`, 'mp4');
  }

  wide(): Promise<Buffer> {
    return this.make(`${PICTURES(1, '128x64')} ${H264}`, 'mp4');
  }

  /** Of a camera of twenty years ago. */
  old(): Promise<Buffer> {
    return this.make(`${PICTURES(1, '128x64')} -c:v mpeg4`, 'mp4');
  }

  silent(): Promise<Buffer> {
    return this.make(`${PICTURES(1)} ${H264}`, 'mp4');
  }

  ogg(): Promise<Buffer> {
    return this.make(`${PICTURES(1)} -c:v libtheora -f ogg`, 'ogv');
  }

  /** QuickTime's own kind, with sound that browsers do not play. */
  mov(): Promise<Buffer> {
    return this.make(`${PICTURES(1)} ${SOUND(1)} ${H264} -c:a pcm_s16le`, 'mov');
  }

  hevc(): Promise<Buffer> {
    return this.make(
      `${PICTURES(1, '128x128')} -c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le -tag:v hvc1`,
      'mp4',
    );
  }

  /** Pictures whose pauses differ. */
  uneven(): Promise<Buffer> {
    return this.make(`${PICTURES(2)} ${H264} -vf setpts=N*N/100/TB -vsync vfr`, 'mp4');
  }

  manySounds(): Promise<Buffer> {
    const sounds = Array.from({ length: 10 }, () => SOUND(1)).join(' ');
    const maps = Array.from({ length: 11 }, (_unused, index) => `-map ${index}`).join(' ');
    return this.make(`${PICTURES(1)} ${sounds} ${maps} ${H264} -c:a aac`, 'mp4');
  }

  /** Three streams of pictures. */
  manyPictures(): Promise<Buffer> {
    return this.make(`${PICTURES(1)} -map 0 -map 0 -map 0 ${H264}`, 'mp4');
  }

  /** A small file of many large pictures, for which 8 bits of one colour do. */
  bomb(): Promise<Buffer> {
    return this.make(
      '-f lavfi -i color=black:size=4096x4096:rate=30:duration=2 -c:v mpeg4 -pix_fmt yuv420p -g 600',
      'mp4',
    );
  }

  /** With all that a file may say of where and by whom it was made. */
  talkative(): Promise<Buffer> {
    const tags = [
      'title=secret-title',
      'location=+48.1-011.5/',
      'comment=secret-comment',
      'artist=secret-name',
    ];
    const all = tags.map((tag) => `-metadata ${tag}`).join(' ');
    const own = '-metadata:s:v title=secret-stream -metadata:s:v handler_name=secret-handler';
    return this.make(`${PICTURES(1)} ${H264} ${all} ${own} -movflags use_metadata_tags`, 'mp4');
  }

  /** With a long text under each of many pictures, and a large file in it. */
  async attached(): Promise<Buffer> {
    const [texts, file] = [join(this.directory, 'texts.srt'), join(this.directory, 'font.ttf')];
    const cue = (at: number) =>
      `${at}\n00:00:00,${at} --> 00:00:00,${at + 1}\n${'SUBTITLE '.repeat(100)}\n\n`;
    await writeFile(texts, Array.from({ length: 800 }, (_unused, index) => cue(index + 100)).join(''));
    await writeFile(file, Buffer.alloc(2_000_000, 'font'));
    const attachment = `-attach ${file} -metadata:s:t mimetype=application/x-truetype-font`;
    const mkv = await this.make(
      `${PICTURES(1)} -i ${texts} -map 0 -map 1 ${VP9} -c:s srt ${attachment}`,
      'mkv',
    );
    // The same length, with a zero after the shorter name.
    return Buffer.from(
      mkv.toString('latin1').replace('B\x82\x88matroska', 'B\x82\x84webm\xec\x82\0\0'),
      'latin1',
    );
  }

  /** By ffmpeg's arguments without the file that it writes. */
  async make(args: string, extension: string): Promise<Buffer> {
    this.made += 1;
    const file = join(this.directory, `${this.made}.${extension}`);
    const words = args.split(' ').filter((word) => word !== '');
    const all = ['-hide_banner', '-nostdin', '-v', 'error', '-y', ...words, '-strict', '-2', file];
    await run(this.programs.ffmpeg, all, { timeout: LIMIT_MS });
    return readFile(file);
  }

  /** What ffprobe says about a file. */
  async probe(bytes: Buffer): Promise<Probed> {
    this.made += 1;
    const file = join(this.directory, `${this.made}.probed`);
    await writeFile(file, bytes);
    const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', '-show_chapters', file];
    const { stdout } = await run(this.programs.ffprobe, args, { timeout: LIMIT_MS });
    return JSON.parse(stdout) as Probed;
  }
}
