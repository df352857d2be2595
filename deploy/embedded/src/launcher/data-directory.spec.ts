import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataDirectory, openDataDirectory } from './data-directory.js';
import { explainFileError } from './start-error.js';

describe('the data directory', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'pulso-data-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('keeps the same secrets from its first opening on, readable by their owner alone', async () => {
    const first = await openDataDirectory(directory);
    const again = await openDataDirectory(directory);
    expect(first.isNew).toBe(true);
    expect(again.isNew).toBe(false);
    expect(again.secrets).toEqual(first.secrets);
    expect(statSync(join(directory, 'secrets.json')).mode & 0o077).toBe(0);
  });

  it('gives a directory of an earlier version the password it lacks, and keeps the others', async () => {
    const { secrets } = await openDataDirectory(directory);
    const { documentStorePassword: _, ...earlier } = secrets;
    writeFileSync(join(directory, 'secrets.json'), JSON.stringify(earlier));
    const given = (await openDataDirectory(directory)).secrets;
    expect(given).toEqual({
      ...earlier,
      documentStorePassword: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect((await openDataDirectory(directory)).secrets).toEqual(given);
  });

  it('remembers that the seed is done', async () => {
    const first = await openDataDirectory(directory);
    expect(first.seeded).toBe(false);
    first.noteSeeded();
    expect((await openDataDirectory(directory)).seeded).toBe(true);
  });

  it('refuses what a newer Pulso wrote, and changes nothing there', async () => {
    writeFileSync(join(directory, 'pulso.json'), JSON.stringify({ format: 99, seeded: true }));
    await expect(openDataDirectory(directory)).rejects.toThrow('was written by a newer Pulso (format 99');
    expect(readdirSync(directory)).toEqual(['pulso.json']);
  });

  it('says that its path is a file', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect(() => createDataDirectory(join(file, 'below'))).toThrow(/PULSO_DATA_DIR: .* is not a directory/);
  });

  it.each([
    ['ENOSPC', /disk of \/data is full/],
    ['EROFS', /read-only disk/],
    ['EACCES', /not writable/],
  ])('explains %s', (code, text) => {
    expect(explainFileError(Object.assign(new Error('raw'), { code }), '/data').message).toMatch(text);
  });
});
