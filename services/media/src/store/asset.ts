import type { ImageFacts } from '@pulso/contracts/media/v1/media';

export type AssetKind = 'image' | 'video';

/** What an asset is for: a post, or a profile. A video is for a post. */
export type AssetPurpose = 'post' | 'avatar';

/**
 * `receiving`: it is uploaded. `ready`: it can be attached, or is. `detached`: its post has it no more; nobody sees it, and its
 * files are kept for a day. `removing`: its files are removed.
 */
export type AssetState = 'receiving' | 'ready' | 'detached' | 'removing';

/** An image or a video of a user. Times are milliseconds since the epoch. */
export interface Asset {
  kind: AssetKind;
  /** Of a video only the id, the name and the bytes count; the rest is in its own row. */
  facts: ImageFacts;
  ownerId: string;
  state: AssetState;
  purpose: AssetPurpose;
  /** The post or user that has claimed it, and until when nobody else may. */
  claimedFor: string | null;
  claimedUntil: number | null;
  /** The post or user that has it, or had it when it was detached. */
  attachedTo: string | null;
  /** The epoch of its post; 0 while it has none (MEDIA-19). */
  epoch: number;
}

/** What a user may store, in bytes (MEDIA-13). */
export const STORAGE_QUOTA = 524_288_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The longest upload in one request; what was begun earlier was cut off by a kill. */
export const RECEIVING_MS = 10 * MINUTE_MS;
/** How long an upload in pieces waits for its next byte (MEDIA-14). */
export const RESUMABLE_MS = DAY_MS;
/** An upload that no post and no profile uses (MEDIA-14). */
export const UNATTACHED_MS = DAY_MS;
/**
 * A claimed upload whose post has sent no event. Longer than events are kept, so that a store which was restored from a
 * backup does not lose published pictures.
 */
export const CLAIMED_MS = 8 * DAY_MS;
/** How long the files of a detached asset stay, for a newer event that lists it again. */
export const DETACHED_MS = DAY_MS;
/** How long an asset is reserved for its post: twice a ticket's life. */
export const CLAIM_MS = 2 * MINUTE_MS;
/** How long a publication's key names its post: not longer than posts knows the key. */
export const PUBLICATION_MS = DAY_MS;
/** The life of an address that media gives an owner. */
export const OWN_ADDRESS_MS = 5 * MINUTE_MS;

/** The files of an image by its purpose, and of a video; the first is the one that counts towards the quota (MEDIA-13). */
const VARIANTS = {
  post: ['full', 'thumbnail'],
  avatar: ['avatar'],
  video: ['video', 'thumbnail'],
} as const satisfies Record<AssetPurpose | 'video', readonly string[]>;

export type Variant = (typeof VARIANTS)[keyof typeof VARIANTS][number];

/** The files that an asset has once it is ready. */
export const variantsOf = ({ kind, purpose }: Pick<Asset, 'kind' | 'purpose'>): readonly Variant[] =>
  VARIANTS[kind === 'video' ? 'video' : purpose];

/** All that an asset of a kind may have, whatever its purpose. */
export const VARIANTS_OF_KIND: Readonly<Record<AssetKind, readonly Variant[]>> = {
  image: [...VARIANTS.post, ...VARIANTS.avatar],
  video: VARIANTS.video,
};

export const ALL_VARIANTS: readonly Variant[] = [...new Set(Object.values(VARIANTS).flat())];

/** Where an asset's files lie, below the folder of its kind. The last digits of an id are random, so the folders fill evenly. */
export const placeOf = (id: string) => `${id.slice(-2)}/${id}`;

/** The object of a variant. That of a video's file has no suffix, because its type is in its row. */
export const objectKeyOf = (id: string, variant: Variant, kind: AssetKind = 'image') =>
  kind === 'video' ? `videos/${placeOf(id)}-${variant}` : `images/${placeOf(id)}-${variant}.jpg`;

export const pathOf = (id: string, variant: Variant) => `/media/${id}/${variant}`;

/** Whether `target`, a post or a user, may have the asset now (MEDIA-17). */
export function isClaimable(asset: Asset, target: string, now: number): boolean {
  if (asset.state !== 'ready') return false;
  if (asset.attachedTo !== null) return asset.attachedTo === target;
  return asset.claimedFor === target || !isClaimed(asset, now);
}

export const isClaimed = ({ claimedUntil }: Asset, now: number) =>
  claimedUntil !== null && claimedUntil > now;
