import type { ImageFacts } from '@pulso/contracts/media/v1/media';

/** What an image is for: a post, or a profile. */
export type AssetPurpose = 'post' | 'avatar';

/**
 * `receiving`: it is uploaded. `ready`: it can be attached, or is. `detached`: its post has it no more; nobody sees it, and its
 * files are kept for a day. `removing`: its files are removed.
 */
export type AssetState = 'receiving' | 'ready' | 'detached' | 'removing';

/** An image of a user. Times are milliseconds since the epoch. */
export interface Asset {
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

/** The longest upload; what was begun earlier was cut off by a kill. */
export const RECEIVING_MS = 10 * MINUTE_MS;
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

/** The files of an asset by its purpose; the first is the one that counts towards the quota (MEDIA-13). */
export const VARIANTS = {
  post: ['full', 'thumbnail'],
  avatar: ['avatar'],
} as const satisfies Record<AssetPurpose, readonly string[]>;

export type Variant = (typeof VARIANTS)[AssetPurpose][number];

export const ALL_VARIANTS: readonly Variant[] = Object.values(VARIANTS).flat();

/** The object of a variant. The last digits of an id are random, so the folders fill evenly. */
export const objectKeyOf = (id: string, variant: Variant) => `images/${id.slice(-2)}/${id}-${variant}.jpg`;

export const pathOf = (id: string, variant: Variant) => `/media/${id}/${variant}`;

/** Whether `target`, a post or a user, may have the asset now (MEDIA-17). */
export function isClaimable(asset: Asset, target: string, now: number): boolean {
  if (asset.state !== 'ready') return false;
  if (asset.attachedTo !== null) return asset.attachedTo === target;
  return asset.claimedFor === target || !isClaimed(asset, now);
}

export const isClaimed = ({ claimedUntil }: Asset, now: number) =>
  claimedUntil !== null && claimedUntil > now;
