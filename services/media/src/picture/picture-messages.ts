import type { AssetPurpose, Variant } from '../store/asset.js';

export interface Picture {
  width: number;
  height: number;
  blurhash: string;
  /** JPEG files, without metadata; the first is the main one. */
  files: readonly { variant: Variant; bytes: Buffer }[];
}

/** What media sends to the process that works on pictures: one at a time. */
export interface PictureRequest {
  bytes: Buffer;
  purpose: AssetPurpose;
  /** Beyond these the process ends itself: of processor time for this picture, and of memory in all. */
  most: { cpuMs: number; memoryBytes: number };
}

/**
 * What that process answers: first that it has begun, then one of the others. `refused`: the file is no picture that we take. `over`: it
 * takes more than it may, and the process ends. `failed`: the machine is to blame.
 */
export type PictureAnswer =
  | { kind: 'begun' }
  | { kind: 'done'; picture: Picture; cpuMs: number; memoryBytes: number }
  | { kind: 'refused'; reason: string }
  | { kind: 'over'; reason: string }
  | { kind: 'failed'; message: string };
