import { Injectable } from '@nestjs/common';
import { type SignedUrlClaims, UrlSigner } from '@pulso/platform/auth/signed-url';
import { currentContext } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { BatchedReads } from '@pulso/platform/concurrency/batched-reads';
import { Clock } from '@pulso/platform/time/clock';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { assetNotFound } from '../store/asset-errors.js';
import {
  ALL_VARIANTS,
  type Asset,
  isClaimed,
  objectKeyOf,
  pathOf,
  type Variant,
  variantsOf,
} from '../store/asset.js';
import { AssetRepository, type ShownAsset } from '../store/asset.repository.js';
import { addressExpired, claimsOf } from './signed-address.js';
import { SendFile } from './send-file.js';

/** Of all that is no video: we encode it ourselves. */
const PICTURE = 'image/jpeg';
/** The longest that a reader may take. */
const SENDING_MS = 10 * 60_000;
/** How long one waits for the event that attaches an avatar which is claimed. */
const ATTACHING = { looks: 20, everyMs: 100 };
/**
 * How long copies may be shown without asking again, also after a moderator has hidden the picture. Asking again costs no
 * bytes while the file is there (MEDIA-20).
 */
const PUBLIC = 'public, max-age=3600, immutable';

interface Admitted {
  kind: Asset['kind'];
  type: string;
  cacheControl: string;
}

/**
 * `GET /media/{id}/{variant}`: the bytes of a picture or a video (MEDIA-19, MEDIA-20). Those of a post need the signature of their
 * address, and so does an avatar that no profile has; that of a profile is everybody's (MEDIA-6). Throws `permission-denied` for an
 * address that is forged, expired or of an earlier visibility, and `not-found`, also for what moderators hide (MEDIA-22).
 */
@Injectable()
export class DeliverAsset {
  /** A page asks for many pictures at once; each is looked up after it was asked for, so nothing closes later for it. */
  private readonly shown: BatchedReads<ShownAsset>;

  constructor(
    assets: AssetRepository,
    private readonly signer: UrlSigner,
    private readonly files: SendFile,
    private readonly clock: Clock,
  ) {
    this.shown = new BatchedReads((ids) => assets.findShown(ids));
  }

  async execute(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const [, , id = '', name = ''] = url.pathname.split('/');
    const variant = ALL_VARIANTS.find((known) => known === name);
    if (!variant || !isId(id)) throw assetNotFound();
    const { cacheControl, kind, type } = await this.admit(id, variant, url.searchParams);
    await this.files.send(request, response, {
      key: objectKeyOf(id, variant, kind),
      etag: `"${id}-${variant}"`,
      headers: { 'content-type': type, 'content-disposition': 'inline', 'cache-control': cacheControl },
      ...{ longestMs: SENDING_MS, isKept: true },
    });
  }

  /** Whether the address opens the file, what it is, and how long it may be kept. */
  private async admit(id: string, variant: Variant, query: URLSearchParams): Promise<Admitted> {
    const claims = this.claimsOf(pathOf(id, variant), query, variant);
    const { asset, isHidden, type } = (await this.lookUp(id, claims !== undefined)) ?? {};
    if (!asset || !type || !variantsOf(asset).includes(variant)) throw assetNotFound();
    if (!claims && asset.attachedTo === null) throw assetNotFound();
    // Of a hidden post its author alone gets new addresses, and they expire.
    if (isHidden && claims?.expiresAt === undefined) throw assetNotFound();
    // A later epoch than ours is that of a post whose event is on its way.
    if (claims && claims.epoch < asset.epoch) throw addressExpired();
    const file = { kind: asset.kind, type: variant === 'video' ? type : PICTURE };
    if (claims?.expiresAt === undefined) return { ...file, cacheControl: PUBLIC };
    const seconds = Math.floor((claims.expiresAt - this.clock.now()) / 1000);
    return { ...file, cacheControl: `private, max-age=${seconds}, immutable` };
  }

  /** Undefined for an avatar's address without a signature. */
  private claimsOf(path: string, query: URLSearchParams, variant: Variant): SignedUrlClaims | undefined {
    return variant === 'avatar' && !query.has('s') ? undefined : claimsOf(this.signer, path, query);
  }

  /**
   * Who has just saved their profile sees it at once, with an avatar that media may not have heard of yet: it is claimed, and the event
   * that attaches it is on its way.
   */
  private async lookUp(id: string, isSigned: boolean): Promise<ShownAsset | undefined> {
    let shown = await this.shown.read(id);
    if (isSigned) return shown;
    const { signal } = currentContext()!.cancellation;
    const isOnItsWay = (asset: Asset) =>
      asset.purpose === 'avatar' && asset.attachedTo === null && isClaimed(asset, this.clock.now());
    for (let looks = 0; shown && isOnItsWay(shown.asset) && looks < ATTACHING.looks; looks += 1) {
      await pause(ATTACHING.everyMs, undefined, { signal });
      shown = await this.shown.read(id);
    }
    return shown;
  }
}
