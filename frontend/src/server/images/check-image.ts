import { LIMITS } from '../../api/limits.js';

/** The kinds that are taken (MEDIA-1), by the ends of names. */
const TYPES = new Map([
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.png', 'image/png'],
  ['.webp', 'image/webp'],
  ['.gif', 'image/gif'],
]);
const KINDS = new Set(TYPES.values());

/** For the `accept` of a file field. Types and names: some systems know only one of both. */
export const ACCEPTED_IMAGES = [...KINDS, ...TYPES.keys()].join(',');

/** Of an image before it is compressed, in bytes (MEDIA-1). */
export const IMAGE_BYTES = LIMITS.imageBytes;

export type ImageRefusal = 'kind' | 'size';

interface ChosenFile {
  type: string;
  size: number;
  name?: string;
}

/**
 * Why a chosen file is no image that may be sent (MEDIA-21); undefined when it may. Where the system tells no type, the
 * name decides. What the file really holds shows when it is decoded, and the server looks itself (MEDIA-3).
 */
export function checkImage({ type, size, name = '' }: ChosenFile): ImageRefusal | undefined {
  const kind = type || TYPES.get(/[.][^.]*$/.exec(name)?.[0].toLowerCase() ?? '');
  if (!kind || !KINDS.has(kind)) return 'kind';
  return size > IMAGE_BYTES ? 'size' : undefined;
}
