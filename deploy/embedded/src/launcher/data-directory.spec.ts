import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataDirectory, openDataDirectory } from './data-directory.js';
import { explainFileError } from './start-error.js';

describe('the data directory', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'pulso-data-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const modeOf = (path: string) => statSync(path).mode & 0o077;

  it('keeps the same secrets after its first opening, readable only by their owner', async () => {
    const first = await openDataDirectory(directory);
    const again = await openDataDirectory(directory);
    expect(first.isNew).toBe(true);
    expect(again.isNew).toBe(false);
    expect(again.secrets).toEqual(first.secrets);
    expect(modeOf(join(directory, 'secrets.json'))).toBe(0);
  });

  it('is made so that nobody else can list it', () => {
    const path = join(directory, 'made', 'data');
    createDataDirectory(path);
    const others = process.getuid?.() === 0 ? 0o011 : 0;
    expect(modeOf(path)).toBe(others);
  });

  it("of an earlier version, or empty, becomes its owner's alone, with its pictures", async () => {
    const others = process.getuid?.() === 0 ? 0o011 : 0;
    chmodSync(directory, 0o755);
    createDataDirectory(directory);
    expect(modeOf(directory)).toBe(others);
    await openDataDirectory(directory);
    mkdirSync(join(directory, 'objects'));
    for (const path of [directory, join(directory, 'objects')]) chmodSync(path, 0o755);
    createDataDirectory(directory);
    expect([modeOf(directory), modeOf(join(directory, 'objects'))]).toEqual([others, 0]);
    chmodSync(directory, 0o700);
    createDataDirectory(directory);
    expect(modeOf(directory)).toBe(0);
  });

  it('is left as it is where other things are in it', () => {
    writeFileSync(join(directory, 'notes.txt'), '');
    chmodSync(directory, 0o755);
    createDataDirectory(directory);
    expect(modeOf(directory)).toBe(0o055);
  });

  it('adds the missing password and keys to a directory of an earlier version, and keeps the other secrets', async () => {
    const { secrets } = await openDataDirectory(directory);
    const { documentStorePassword: _, mailSealingKeys: _keys, ...earlier } = secrets;
    writeFileSync(join(directory, 'secrets.json'), JSON.stringify(earlier));
    const given = (await openDataDirectory(directory)).secrets;
    expect(given).toEqual({
      ...earlier,
      documentStorePassword: expect.stringMatching(/^[\w-]{43}$/) as string,
      mailSealingKeys: [expect.objectContaining({ kty: 'OKP', crv: 'X25519' })],
    });
    expect((await openDataDirectory(directory)).secrets).toEqual(given);
  });

  it('remembers that the seed is done', async () => {
    const first = await openDataDirectory(directory);
    expect(first.seeded).toBe(false);
    first.noteSeeded();
    expect((await openDataDirectory(directory)).seeded).toBe(true);
  });

  it('refuses the format of a newer Pulso, and changes nothing there', async () => {
    writeFileSync(join(directory, 'pulso.json'), JSON.stringify({ format: 99, seeded: true }));
    await expect(openDataDirectory(directory)).rejects.toThrow('was written by a newer Pulso (format 99');
    expect(readdirSync(directory)).toEqual(['pulso.json']);
  });

  it('reports that its path is a file', () => {
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
