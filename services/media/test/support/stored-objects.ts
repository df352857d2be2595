import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Asset, objectKeyOf, variantsOf } from '../../src/store/asset.js';
import type { TestMedia } from '../start.js';

/** The keys of all stored objects with their sizes in bytes, without what is half written. */
export async function storedObjects({ objects }: TestMedia): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const entry of await readdir(objects, { recursive: true })) {
    const file = await stat(join(objects, entry));
    if (file.isFile() && !entry.startsWith('.incoming')) found.set(entry, file.size);
  }
  return found;
}

interface Row {
  id: string;
  owner_id: string;
  kind: Asset['kind'];
  /** Null while it is received. */
  purpose: Asset['purpose'] | null;
  state: Asset['state'];
}

const keysOf = ({ id, kind, purpose }: Row) =>
  (purpose ? variantsOf({ kind, purpose }) : []).map((variant) => objectKeyOf(id, variant, kind));

const rowsOf = ({ service }: TestMedia) =>
  service.rows<Row>('SELECT id, owner_id, kind, purpose, state FROM assets');

/** Each of these images must be there for its readers, with all its files. */
export async function expectThere(media: TestMedia, ids: readonly string[]): Promise<void> {
  const rows = new Map((await rowsOf(media)).map((row) => [row.id, row]));
  const files = await storedObjects(media);
  for (const id of ids) {
    const row = rows.get(id);
    expect([id, row?.state]).toEqual([id, 'ready']);
    expect(keysOf(row!).filter((key) => !files.has(key))).toEqual([]);
  }
}

/**
 * Once the job has removed what is to be removed: these images and no others have a row, they and nothing else have files,
 * and each of the owners has used the bytes of the main ones (MEDIA-13).
 */
export async function expectOnly(
  media: TestMedia,
  ids: readonly string[],
  owners: readonly string[],
): Promise<void> {
  const rows = await rowsOf(media);
  const files = await storedObjects(media);
  expect([...files.keys()].sort()).toEqual(rows.flatMap(keysOf).sort());
  expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const ownerId of owners) {
    const own = rows.filter((row) => row.owner_id === ownerId);
    const sum = own.reduce((bytes, row) => bytes + files.get(keysOf(row)[0]!)!, 0);
    expect([ownerId, await media.used(ownerId)]).toEqual([ownerId, sum]);
  }
}
