import { mkdir, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readInput } from '@pulso/platform/command-line/run-commands';
import { ALL_VARIANTS, objectKeyOf, type Variant } from '../src/store/asset.js';
import { reconcileCommand } from '../src/reconciliation/reconcile-command.js';
import { Reconcile } from '../src/reconciliation/reconcile.js';
import { TestMedia } from './start.js';

let media: TestMedia;
let ana: string;
beforeEach(async () => {
  media = await TestMedia.start();
  ana = media.newId();
});
afterEach(() => media?.stop());

const reconcile = (apply = false, { limit = 100, remove = undefined as number | undefined } = {}) =>
  media.service.get(Reconcile).execute({ apply, limit, remove });
const fileOf = (id: string, variant: Variant) => join(media.objects, objectKeyOf(id, variant));
const twoHoursOld = (path: string) => utimes(path, new Date(), new Date(Date.now() - 2 * 60 * 60_000));

async function files(): Promise<string[]> {
  const entries = await readdir(media.objects, { recursive: true });
  return entries.filter((name) => /\.\w+$/.test(name) && !name.startsWith('.')).sort();
}

async function uploaded(purpose: 'post' | 'avatar' = 'post') {
  const { id, bytes } = (await media.upload(ana, { purpose })).facts!;
  return { id, bytes };
}

/** Assets of avatars whose one file is a byte shorter than they count. */
async function manyAssets(count: number): Promise<void> {
  const made = await media.service.rows<{ id: string }>(
    `INSERT INTO assets (id, owner_id, state, purpose, bytes, created_at, attached_to)
     SELECT gen_random_uuid(), $1, 'ready', 'avatar', 2, now(), $1 FROM generate_series(1, $2) RETURNING id`,
    [ana, count],
  );
  for (const { id } of made) {
    const path = fileOf(id, 'avatar');
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'x');
  }
}

const NOTHING = { ownerless: 0, listed: 0, missing: 0, size: 0, unknown: 0, archive: 0 };

describe('media reconcile', () => {
  // Rule: MEDIA-13
  it('finds that assets and files agree, whatever state the assets are in', async () => {
    const [first] = [await uploaded(), await uploaded('avatar')];
    await media.delete(ana, first.id);
    // Received and removed ones may have files or not.
    await media.service.rows(
      `INSERT INTO assets (id, owner_id, state, bytes, created_at, expires_at)
       VALUES ($1, $2, 'receiving', 5, now(), now()) RETURNING id`,
      [media.newId(), ana],
    );
    expect(await reconcile()).toEqual({ assets: 3, files: 3, found: NOTHING, repaired: 0, findings: [] });
  });

  // Rule: MEDIA-13
  it('removes files that are older than an hour and have no asset, and no other', async () => {
    const kept = await uploaded();
    const [gone, young] = [await uploaded(), await uploaded()];
    await media.service.rows('DELETE FROM assets WHERE id = ANY ($1::uuid[]) RETURNING id', [
      [gone.id, young.id],
    ]);
    // A variant that its asset does not have.
    await writeFile(fileOf(kept.id, 'avatar'), 'x');
    const old = [fileOf(gone.id, 'full'), fileOf(gone.id, 'thumbnail'), fileOf(kept.id, 'avatar')];
    for (const path of old) await twoHoursOld(path);
    const before = await files();

    const dry = await reconcile();
    expect(dry).toMatchObject({ found: { ...NOTHING, ownerless: 3 }, repaired: 0 });
    expect(await files()).toEqual(before);
    expect(new Map(dry.findings.map(({ key, ownerId }) => [key, ownerId]))).toEqual(
      new Map([
        [objectKeyOf(gone.id, 'full'), null],
        [objectKeyOf(gone.id, 'thumbnail'), null],
        [objectKeyOf(kept.id, 'avatar'), ana],
      ]),
    );

    expect(await reconcile(true, { remove: 3 })).toMatchObject({ found: { ownerless: 3 }, repaired: 3 });
    expect(await files()).toEqual(before.filter((name) => !old.includes(join(media.objects, name))));
    expect(await reconcile()).toMatchObject({ found: NOTHING });
  });

  // Rule: MEDIA-13
  it('removes nothing where more than one file in a hundred would go, unless their number is named', async () => {
    const gone = [await uploaded(), await uploaded()];
    const wrong = await uploaded();
    await media.service.rows('DELETE FROM assets WHERE id = ANY ($1::uuid[]) RETURNING id', [
      gone.map(({ id }) => id),
    ]);
    await media.service.rows('UPDATE assets SET bytes = bytes + 1000 WHERE id = $1 RETURNING id', [wrong.id]);
    const [before, rows] = [await files(), await media.rows(ana)];
    for (const name of before) await twoHoursOld(join(media.objects, name));
    await expect(reconcile(true)).rejects.toThrow(/^4 of 6 files .* more than 0: .* --remove 4\.$/);
    await expect(reconcile(true, { remove: 3 })).rejects.toThrow('more than 3');
    expect([await files(), await media.rows(ana)]).toEqual([before, rows]);
    // Of 400 files four may go unnamed.
    await manyAssets(394);
    expect(await reconcile(true)).toMatchObject({
      files: 400,
      found: { ownerless: 4, size: 395 },
      repaired: 399,
    });
    expect((await files()).filter((name) => gone.some(({ id }) => name.includes(id)))).toEqual([]);
  });

  // Rule: MEDIA-13
  it('removes no file that a post or a profile lists, though its row is lost', async () => {
    const [kept, of, post] = [await uploaded(), await uploaded(), media.newId()];
    const [avatar, dropped, deleted] = [await uploaded('avatar'), await uploaded(), await uploaded()];
    await media.postIs(post, ana, 1, { mediaIds: [kept.id, of.id] });
    await media.postIs(media.newId(), ana, 1, { mediaIds: [deleted.id], deleted: true });
    await media.userIs(ana, 1, { profileImageId: avatar.id });
    await media.service.rows('DELETE FROM assets WHERE id <> $1 RETURNING id', [kept.id]);
    for (const name of await files()) await twoHoursOld(join(media.objects, name));

    const { found, repaired, findings } = await reconcile(true, { remove: 4 });
    expect({ found, repaired }).toEqual({ found: { ...NOTHING, ownerless: 4, listed: 3 }, repaired: 4 });
    const listed = findings.filter(({ kind }) => kind === 'listed').map(({ key }) => key);
    const theirs = [
      objectKeyOf(of.id, 'full'),
      objectKeyOf(of.id, 'thumbnail'),
      objectKeyOf(avatar.id, 'avatar'),
    ];
    expect(listed.toSorted()).toEqual(theirs.toSorted());
    const left = [...theirs, objectKeyOf(kept.id, 'full'), objectKeyOf(kept.id, 'thumbnail')];
    expect(await files()).toEqual(left.toSorted());
    expect((await files()).filter((name) => name.includes(dropped.id))).toEqual([]);
  });

  // Rule: MEDIA-13
  it('removes nothing where the database has no asset at all', async () => {
    expect(await reconcile(true)).toMatchObject({ files: 0, repaired: 0 });
    await uploaded();
    await media.service.rows('DELETE FROM assets RETURNING id');
    const before = await files();
    for (const name of before) await twoHoursOld(join(media.objects, name));
    await expect(reconcile(true)).rejects.toThrow('MEDIA_DATABASE_URL');
    expect(await reconcile()).toMatchObject({ found: { ...NOTHING, ownerless: 2 } });
    expect(await files()).toEqual(before);
  });

  // Rule: MEDIA-13
  it('corrects what an asset counts to the size of its main file, and so what its owner stores', async () => {
    const { id, bytes } = await uploaded();
    await media.service.rows('UPDATE assets SET bytes = bytes + 1000 WHERE id = $1 RETURNING id', [id]);
    expect(await media.used(ana)).toBe(bytes + 1_000);
    const finding = { kind: 'size', key: objectKeyOf(id, 'full'), ownerId: ana };
    const sizes = { counted: bytes + 1_000, stored: bytes };
    expect((await reconcile()).findings).toEqual([{ ...finding, ...sizes, repaired: false }]);
    expect(await media.used(ana)).toBe(bytes + 1_000);
    expect((await reconcile(true)).findings).toEqual([{ ...finding, ...sizes, repaired: true }]);
    expect(await media.used(ana)).toBe(bytes);
    // A thumbnail counts nothing.
    await truncate(fileOf(id, 'thumbnail'), 3);
    expect(await reconcile()).toMatchObject({ found: NOTHING });
  });

  // Rule: MEDIA-13
  it('reports missing files and unknown objects, and changes nothing about them', async () => {
    const [whole, half, none] = [await uploaded(), await uploaded(), await uploaded('avatar')];
    await rm(fileOf(half.id, 'thumbnail'));
    await rm(fileOf(none.id, 'avatar'));
    const stranger = `images/${whole.id.slice(-2)}/notes.txt`;
    const misplaced = `images/${whole.id.endsWith('00') ? '01' : '00'}/${whole.id}-full.jpg`;
    await mkdir(join(media.objects, misplaced, '..'), { recursive: true });
    for (const key of [stranger, misplaced]) await writeFile(join(media.objects, key), 'notes');
    const before = await files();
    const rows = await media.rows(ana);
    for (const apply of [false, true]) {
      const { findings, found, repaired } = await reconcile(apply);
      expect({ found, repaired }).toEqual({ found: { ...NOTHING, missing: 2, unknown: 2 }, repaired: 0 });
      expect(findings.map(({ kind, key }) => `${kind} ${key}`).toSorted()).toEqual(
        [
          `missing ${objectKeyOf(half.id, 'thumbnail')}`,
          `missing ${objectKeyOf(none.id, 'avatar')}`,
          `unknown ${misplaced}`,
          `unknown ${stranger}`,
        ].toSorted(),
      );
    }
    expect([await files(), await media.rows(ana)]).toEqual([before, rows]);
  });

  it('takes all assets and files in one order, however many there are', async () => {
    const { id } = await uploaded();
    // More than a batch of rows; of these ids none has files.
    await media.service.rows(
      `INSERT INTO assets (id, owner_id, state, purpose, bytes, created_at, expires_at)
       SELECT gen_random_uuid(), $1, 'detached', 'avatar', 1, now(), now() + interval '1 day'
       FROM generate_series(1, 1100) RETURNING id`,
      [ana],
    );
    const { found, findings, ...sums } = await reconcile(false, { limit: 50 });
    expect({ ...sums, found, listed: findings.length }).toEqual({
      ...{ assets: 1_101, files: 2, repaired: 0, listed: 50 },
      found: { ...NOTHING, missing: 1_100 },
    });
    const keys = findings.map(({ key }) => key);
    expect(keys).toEqual(keys.toSorted());
    expect(keys).not.toContain(objectKeyOf(id, ALL_VARIANTS[0]!));
  });

  it('is a command whose output is a table, or JSON', async () => {
    const run = async (...words: string[]) => {
      const command = reconcileCommand;
      return command.prepare(readInput(command, words))(media.service.running);
    };
    const { id } = await uploaded();
    expect(await run()).toEqual([
      'Assets and files agree.',
      '1 assets, 2 files: 0 ownerless, 0 listed without a row, 0 missing, 0 of another size, 0 unknown objects, 0 archives without theirs.',
    ]);
    await rm(fileOf(id, 'full'));
    await rm(fileOf(id, 'thumbnail'));
    const lines = await run('--limit', '1');
    expect(lines[0]).toMatch(/^kind +key +ownerId +counted +stored +repaired$/);
    expect(lines[1]).toMatch(`missing  ${objectKeyOf(id, 'full')}  ${ana}`);
    expect(lines[2]).toBe('… and 1 more: --limit lists them.');
    expect(lines.at(-1)).toMatch(/restore them from a backup/);
    const json = (await run('--json')).map((line) => JSON.parse(line) as object);
    expect(json).toHaveLength(3);
    expect(json.at(-1)).toEqual({ assets: 1, files: 0, found: { ...NOTHING, missing: 2 }, repaired: 0 });
    await expect(run('--limit', 'many')).rejects.toThrow('--limit must be from 1 to 10000.');
    await expect(run('--apply', '--remove', 'all')).rejects.toThrow('--remove must be a number of files.');
    await expect(run('--remove', '3')).rejects.toThrow('--remove is for --apply.');
    await media.service.rows('DELETE FROM assets RETURNING id');
    const other = await uploaded();
    await media.service.rows('UPDATE assets SET id = $2 WHERE id = $1 RETURNING id', [
      other.id,
      media.newId(),
    ]);
    for (const name of await files()) await twoHoursOld(join(media.objects, name));
    expect((await run('--apply', '--remove', '2')).slice(-2)[0]).toBe('2 repaired.');
  });
});
