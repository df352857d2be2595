import type { ObjectStore } from '@pulso/platform/objects/object-store';
import { ARCHIVES_FOLDER, archivesOf } from '../store/archive.js';
import { ALL_VARIANTS, type AssetKind, objectKeyOf, placeOf, type Variant } from '../store/asset.js';
import { piecesOf } from '../store/stored-pieces.js';

/** Every object of media is in one of them. */
export const FOLDERS = {
  image: 'images/',
  video: 'videos/',
  pieces: 'uploads/',
  archives: ARCHIVES_FOLDER,
} as const;

const KEYS: Readonly<Record<AssetKind, RegExp>> = {
  image: /^images\/[\da-f]{2}\/([\da-f-]{36})-([a-z]+)\.jpg$/,
  video: /^videos\/[\da-f]{2}\/([\da-f-]{36})-([a-z]+)$/,
};
const PIECE = /^uploads\/[\da-f]{2}\/([\da-f-]{36})\/([\da-z-]+)$/;

const ARCHIVE = /^archives\/[\da-f]{2}\/([\da-f-]{36})\/([\da-f-]{36})-(document|[\da-f-]{36})$/;

export interface StoredObject {
  key: string;
  size: number;
  /** Milliseconds since the epoch, by the store's clock. */
  modifiedAt: number;
}

/** All files of one asset by variant, or its pieces by name. */
export interface AssetObjects<Name extends string = string> {
  id: string;
  files: ReadonlyMap<Name, StoredObject>;
}

/** An object of an archive: its document, or what the attempt `name` has made. */
export interface ArchiveObject {
  id: string;
  ownerId: string;
  name: string;
  file: StoredObject;
}

type Unknown = (file: StoredObject) => void;

/** The files of a kind, an asset at a time, in the order of their keys. `onUnknown` gets objects that are nobody's files. */
export function storedObjects(
  objects: ObjectStore,
  kind: AssetKind,
  onUnknown: Unknown,
): AsyncGenerator<AssetObjects<Variant>> {
  return byAsset(objects.list(FOLDERS[kind]), onUnknown, ({ key }) => {
    const [, id = '', name] = KEYS[kind].exec(key) ?? [];
    const variant = ALL_VARIANTS.find((known) => known === name);
    return variant && objectKeyOf(id, variant, kind) === key ? [id, variant] : undefined;
  });
}

/** The pieces of uploads, in the same way. */
export function storedPieces(objects: ObjectStore, onUnknown: Unknown): AsyncGenerator<AssetObjects> {
  return byAsset(objects.list(FOLDERS.pieces), onUnknown, ({ key }) => {
    const [, id = '', name = ''] = PIECE.exec(key) ?? [];
    return piecesOf(id) + name === key ? [id, name] : undefined;
  });
}

/** The objects of archives, in the order of their keys. */
export async function* storedArchives(
  objects: ObjectStore,
  onUnknown: Unknown,
): AsyncGenerator<ArchiveObject> {
  for await (const file of objects.list(FOLDERS.archives)) {
    const [, ownerId = '', id = '', name = ''] = ARCHIVE.exec(file.key) ?? [];
    if (file.key === `${archivesOf(ownerId)}${id}-${name}`) yield { id, ownerId, name, file };
    else onUnknown(file);
  }
}

async function* byAsset<Name extends string>(
  listed: AsyncIterable<StoredObject>,
  onUnknown: Unknown,
  ownerOf: (object: StoredObject) => [id: string, name: Name] | undefined,
): AsyncGenerator<AssetObjects<Name>> {
  let id = '';
  let files = new Map<Name, StoredObject>();
  for await (const object of listed) {
    const [owner, name] = ownerOf(object) ?? [];
    if (owner === undefined || name === undefined) {
      onUnknown(object);
      continue;
    }
    if (owner !== id) {
      if (files.size > 0) yield { id, files };
      id = owner;
      files = new Map();
    }
    files.set(name, object);
  }
  if (files.size > 0) yield { id, files };
}

/** Whether the files of the first asset stand before those of the second. */
export const isBefore = (id: string, other: string) => placeOf(id) < placeOf(other);
