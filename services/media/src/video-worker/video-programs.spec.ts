import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { findPrograms } from './video-programs.js';

async function aFolder(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pulso-programs-'));
  onTestEnd(() => rm(folder, { recursive: true, force: true }));
  for (const name of names) {
    await writeFile(join(folder, name), '#!/bin/sh\n');
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

// Rule: MEDIA-11
describe('the programs of the video worker', () => {
  it('are those of the settings, else of PATH, else of npm', async () => {
    const [chosen, installed] = [await aFolder('own'), await aFolder('ffmpeg', 'ffprobe')];
    const path = `:/nowhere:${installed}`;
    expect(await findPrograms({}, path)).toEqual({
      ffmpeg: join(installed, 'ffmpeg'),
      ffprobe: join(installed, 'ffprobe'),
    });
    const own = join(chosen, 'own');
    expect((await findPrograms({ FFMPEG_PATH: own }, path)).ffmpeg).toBe(own);
    const packaged = await findPrograms({}, '');
    expect(packaged.ffmpeg).toContain('@ffmpeg-installer');
    expect(packaged.ffprobe).toContain('@ffprobe-installer');
  });

  it('that cannot be run are named in one line', async () => {
    const folder = await aFolder();
    await writeFile(join(folder, 'text'), '');
    await mkdir(join(folder, 'folder'));
    for (const name of ['text', 'folder', 'none']) {
      const file = join(folder, name);
      await expect(findPrograms({ FFPROBE_PATH: file }, '')).rejects.toMatchObject({
        name: 'StartError',
        message: `FFPROBE_PATH: ${file} is no program that can be run`,
      });
    }
  });
});
