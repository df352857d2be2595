import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';

const ffmpeg = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string };

/** In kbit/s, pixels and s. */
interface Clip {
  width?: number;
  height?: number;
  seconds?: number;
  rate?: number;
}

/** Writes a video of moving colours. @param codec ffmpeg's arguments; the name of the file says what holds it */
export function aFilm(file: string, picture: string, codec: readonly string[]): string {
  const all = ['-loglevel', 'error', '-y', '-f', 'lavfi', '-i', picture, ...codec, file];
  execFileSync(ffmpeg.path, all);
  return file;
}

/** Writes a WebM of moving colours; with noise, so that it has about its rate. */
export function aClip(
  file: string,
  { width = 640, height = 360, seconds = 4, rate = 3000 }: Clip = {},
): string {
  const source = `testsrc2=size=${width}x${height}:rate=12:duration=${seconds},noise=alls=40:allf=t`;
  const codec = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', `${rate}k`];
  return aFilm(file, source, codec);
}
