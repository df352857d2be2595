import { access, constants, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { StartError } from '@pulso/platform/process/start-error';
import type { VideoSettings } from './video-settings.js';

/** Paths of the programs that read and write videos. */
export class VideoPrograms {
  constructor(
    readonly ffmpeg: string,
    readonly ffprobe: string,
  ) {}
}

type ProgramName = 'ffmpeg' | 'ffprobe';

/** What npm has, for some platforms. Not imported, so that no bundle asks for it: it is 100 MB, and images have Debian's. */
const PACKAGES: Readonly<Record<ProgramName, string>> = {
  ffmpeg: '@ffmpeg-installer/ffmpeg',
  ffprobe: '@ffprobe-installer/ffprobe',
};

/** Rejects with StartError, whose one line names what is missing. */
export async function findPrograms(
  settings: Pick<VideoSettings, 'FFMPEG_PATH' | 'FFPROBE_PATH'>,
  path = process.env['PATH'] ?? '',
): Promise<VideoPrograms> {
  return new VideoPrograms(
    await find('ffmpeg', 'FFMPEG_PATH', settings.FFMPEG_PATH, path),
    await find('ffprobe', 'FFPROBE_PATH', settings.FFPROBE_PATH, path),
  );
}

async function find(
  name: ProgramName,
  setting: string,
  chosen: string | undefined,
  path: string,
): Promise<string> {
  if (chosen !== undefined) {
    if (await isProgram(chosen)) return chosen;
    throw new StartError(`${setting}: ${chosen} is no program that can be run`);
  }
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && (await isProgram(file))) return file;
  }
  const packaged = packagedProgram(name);
  if (packaged !== undefined && (await isProgram(packaged))) return packaged;
  throw new StartError(
    `${name} is not installed, which prepares videos. Install ffmpeg (Debian: apt install ffmpeg, macOS: brew install ffmpeg), or name the program by ${setting}.`,
  );
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Undefined where the package is not installed, or has nothing for this platform: then it throws. */
function packagedProgram(name: ProgramName): string | undefined {
  try {
    return (createRequire(import.meta.url)(PACKAGES[name]) as { path: string }).path;
  } catch {
    return undefined;
  }
}
