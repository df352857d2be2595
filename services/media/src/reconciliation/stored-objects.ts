import type { ObjectStore } from '@pulso/platform/objects/object-store';
import { ALL_VARIANTS, objectKeyOf, type Variant } from '../store/asset.js';

export const IMAGES = 'images/';
const KEY = /^images\/[\da-f]{2}\/([\da-f-]{36})-([a-z]+)\.jpg$/;

export interface StoredObject {
  key: string;
  size: number;
  /** Milliseconds since the epoch, by the store's clock. */
  modifiedAt: number;
}

/** All files of one asset, by variant. */
export interface AssetObjects {
  id: string;
  files: ReadonlyMap<Variant, StoredObject>;
}

/** The objects of images, an asset at a time, in the order of their keys. `onUnknown` gets objects that are nobody's files. */
export async function* storedObjects(
  objects: ObjectStore,
  onUnknown: (file: StoredObject) => void,
): AsyncGenerator<AssetObjects> {
  let id = '';
  let files = new Map<Variant, StoredObject>();
  for await (const object of objects.list(IMAGES)) {
    const [, owner = '', name] = KEY.exec(object.key) ?? [];
    const variant = ALL_VARIANTS.find((known) => known === name);
    if (!variant || objectKeyOf(owner, variant) !== object.key) {
      onUnknown(object);
      continue;
    }
    if (owner !== id) {
      if (files.size > 0) yield { id, files };
      id = owner;
      files = new Map();
    }
    files.set(variant, object);
  }
  if (files.size > 0) yield { id, files };
}

/** Whether the files of the first asset stand before those of the second. */
export const isBefore = (id: string, other: string) =>
  objectKeyOf(id, ALL_VARIANTS[0]!) < objectKeyOf(other, ALL_VARIANTS[0]!);
