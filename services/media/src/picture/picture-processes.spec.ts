import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from '@pulso/platform/logging/logger';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';
import sharp from 'sharp';
import { ODD_PROGRAM, PICTURE_PROGRAM } from '../../test/support/picture-program.js';
import { PictureLimits } from './picture-limits.js';
import { PictureProcesses } from './picture-processes.js';

const here = dirname(fileURLToPath(import.meta.url));
const jpeg = (act: string) => Buffer.from(`\xff\xd8\xff${act}`, 'latin1');

let lines: string[];
let limits: PictureLimits;
beforeEach(() => void (lines = []));

function start(changes: Partial<PictureLimits> = {}): PictureProcesses {
  limits = Object.assign(new PictureLimits(), { program: ODD_PROGRAM }, changes);
  const destination = { write: (line: string) => void lines.push(line) };
  const pictures = new PictureProcesses(
    limits,
    createLogger({ service: 'test', level: 'warn', destination }),
  );
  onTestEnd(() => pictures.onModuleDestroy());
  return pictures;
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const untilGone = (pid: number) =>
  until(() => !isAlive(pid), { what: `the end of the process ${pid} that worked on pictures` });

const UNSUPPORTED = { code: 'unsupported-media' };

// Rule: MEDIA-3, LIMIT-10
describe('a process for pictures', () => {
  it('is started when it is needed, serves one picture after the other, and is not kept without work', async () => {
    const pictures = start();
    expect(pictures.pids).toEqual([]);
    await pictures.render(jpeg('one'), 'post');
    const [first] = pictures.pids;
    limits.idleMs = 1;
    await pictures.render(jpeg('two'), 'post');
    await until(() => pictures.pids.length === 0, { what: 'the end of the idle process' });
    await untilGone(first!);
    limits.idleMs = 60_000;
    await pictures.render(jpeg('three'), 'post');
    expect(pictures.pids).toHaveLength(1);
    expect(pictures.pids).not.toContain(first);
  });

  it('that a picture ends is replaced: that picture is refused, and others at the same time are not', async () => {
    const pictures = start();
    await pictures.render(jpeg('one'), 'post');
    const [first] = pictures.pids;
    const [bad, good] = await Promise.allSettled([
      pictures.render(jpeg('die'), 'post'),
      pictures.render(jpeg('two'), 'avatar'),
    ]);
    expect([bad, good]).toMatchObject([{ status: 'rejected', reason: UNSUPPORTED }, { status: 'fulfilled' }]);
    expect(lines).toEqual([expect.stringContaining('"how":"SIGKILL"')]);
    await untilGone(first!);
    await pictures.render(jpeg('three'), 'post');
    expect(pictures.pids).not.toContain(first);
  });

  it('that has no answer in time is ended, and the picture may be tried again', async () => {
    const pictures = start({ waitMs: 100 });
    const hanging = pictures.render(jpeg('hang'), 'post');
    const [pid] = pictures.pids;
    await expect(hanging).rejects.toMatchObject({ code: 'unavailable' });
    await untilGone(pid!);
  });

  it('that has ended without work costs no picture', async () => {
    const pictures = start();
    await pictures.render(jpeg('one'), 'post');
    process.kill(pictures.pids[0]!, 'SIGKILL');
    await pictures.render(jpeg('two'), 'post');
    expect(lines).toEqual([]);
  });

  it('that keeps much memory is not used again', async () => {
    const pictures = start();
    await pictures.render(jpeg('grow'), 'post');
    const [first] = pictures.pids;
    await untilGone(first!);
    await pictures.render(jpeg('two'), 'post');
    expect(pictures.pids).not.toContain(first);
  });

  it('gets none of the secrets of the process that starts it', async () => {
    process.env['MEDIA_DATABASE_URL'] = 'postgres://media:secret@localhost/media';
    onTestEnd(() => delete process.env['MEDIA_DATABASE_URL']);
    const { picture } = await start().render(jpeg('tell'), 'post');
    expect(picture.blurhash.split(',')).toContain('PATH');
    expect(picture.blurhash).not.toMatch(/MEDIA_/);
  });

  it('that cannot be started is no fault of the picture', async () => {
    const pictures = start({ program: { file: join(here, 'nowhere.mjs'), execArgv: [] } });
    await expect(pictures.render(jpeg('one'), 'post')).rejects.toThrow('could not be started: code 1');
  });

  it('is not asked about a file that is of no kind which is taken', async () => {
    const pictures = start();
    await expect(pictures.render(Buffer.from('%PDF-1.7'), 'post')).rejects.toMatchObject(UNSUPPORTED);
    expect(pictures.pids).toEqual([]);
  });

  it('ends when the process that has started it is killed', async () => {
    const parent = spawn(
      process.execPath,
      [...TYPESCRIPT, join(here, '../../test/support/picture-parent.ts')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    onTestEnd(() => void parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await untilGone(pid);
  });
});

// Rule: MEDIA-2, MEDIA-3
describe('the program that works on pictures', () => {
  const picture = () =>
    sharp({ create: { width: 90, height: 60, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();

  it('gives the files of a picture, and goes on after one that is broken', async () => {
    const pictures = start({ program: PICTURE_PROGRAM });
    const file = await picture();
    await expect(pictures.render(jpeg('broken'), 'post')).rejects.toMatchObject(UNSUPPORTED);
    const [pid] = pictures.pids;
    const { picture: made } = await pictures.render(file, 'post');
    expect(made).toMatchObject({
      width: 90,
      height: 60,
      files: [{ variant: 'full' }, { variant: 'thumbnail' }],
    });
    expect(await sharp(made.files[0]!.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 90 });
    expect(pictures.pids).toEqual([pid]);
  });

  it.each([
    ['the processor', { cpuMs: 0 }],
    ['memory', { memoryBytes: 1 }],
  ])('ends with a picture that takes more of %s than it may', async (what, most) => {
    const pictures = start({ program: PICTURE_PROGRAM, ...most });
    const rendering = pictures.render(await picture(), 'post');
    await expect(rendering).rejects.toMatchObject(UNSUPPORTED);
    expect(lines).toEqual([expect.stringContaining(`of ${what}"`)]);
    await until(() => pictures.pids.length === 0, { what: 'the end of the process' });
  });
});
