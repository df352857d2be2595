import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDirectory } from './instance-lock.js';

describe('the instance lock', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'pulso-lock-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const lockFile = () => join(directory, 'instance.lock');

  it('is held by one process and names it', () => {
    lockDataDirectory(directory);
    expect(() => lockDataDirectory(directory)).toThrow(
      `is in use by another instance (process ${process.pid})`,
    );
  });

  it('can be taken again once released', () => {
    lockDataDirectory(directory).release();
    lockDataDirectory(directory);
    expect(existsSync(lockFile())).toBe(true);
  });

  it('is taken over from a holder that has ended', () => {
    const gone = spawnSync('true');
    writeFileSync(lockFile(), JSON.stringify({ pid: gone.pid, startedAt: 'long ago' }));
    lockDataDirectory(directory);
    expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is taken over when the pid now belongs to another program', () => {
    writeFileSync(lockFile(), JSON.stringify({ pid: process.pid, startedAt: 'another time' }));
    expect(() => lockDataDirectory(directory)).not.toThrow();
  });

  it('is taken over when its file is incomplete', () => {
    writeFileSync(lockFile(), '{"pid":');
    expect(() => lockDataDirectory(directory)).not.toThrow();
  });
});
