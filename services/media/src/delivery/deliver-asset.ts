import { Injectable } from '@nestjs/common';
import { type SignedUrlClaims, UrlSigner } from '@pulso/platform/auth/signed-url';
import { currentContext } from '@pulso/platform/context/request-context';
import { permissionDenied, unavailable } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Logger } from '@pulso/platform/logging/logger';
import { BatchedReads } from '@pulso/platform/concurrency/batched-reads';
import { type ByteRange, ObjectStore } from '@pulso/platform/objects/object-store';
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
import { isUnchanged, rangeOf } from './conditions.js';
import { SmallObjects } from './small-objects.js';

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

/** Also where a browser opens the file as a page: it is a picture or a video and nothing else. */
const HEADERS = {
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
};

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
  private readonly small: SmallObjects;

  constructor(
    assets: AssetRepository,
    private readonly signer: UrlSigner,
    private readonly objects: ObjectStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.shown = new BatchedReads((ids) => assets.findShown(ids));
    this.small = new SmallObjects(objects);
  }

  async execute(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const [, , id = '', name = ''] = url.pathname.split('/');
    const variant = ALL_VARIANTS.find((known) => known === name);
    if (!variant || !isId(id)) throw assetNotFound();
    const { cacheControl, kind, type } = await this.admit(id, variant, url.searchParams);
    const key = objectKeyOf(id, variant, kind);
    const size = this.small.get(key)?.length ?? (await this.objects.sizeOf(key));
    if (size === undefined) {
      this.logger.error({ object: key }, 'a file that should be there is missing');
      throw assetNotFound();
    }
    // An object never changes.
    const etag = `"${id}-${variant}"`;
    const headers = { ...HEADERS, 'content-type': type, etag, 'cache-control': cacheControl };
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
    if (isUnchanged(request, etag)) return void response.writeHead(304).end();
    // Only of GET: HEAD answers as GET without a range would.
    const range = request.method === 'GET' ? rangeOf(request, size, etag) : undefined;
    if (range === 'unsatisfiable')
      return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const bytes = request.method === 'GET' ? await this.readSmall(key, size) : undefined;
    response.setHeader('content-length', end - start + 1);
    if (range) response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
    response.statusCode = range ? 206 : 200;
    if (request.method === 'HEAD') return void response.end();
    if (bytes) return void response.end(bytes.subarray(start, end + 1));
    await this.send(key, response, { start, end });
  }

  private async readSmall(key: string, size: number): Promise<Buffer | undefined> {
    try {
      return await this.small.read(key, size);
    } catch (error) {
      this.logger.error({ err: error, object: key }, 'a file could not be read');
      throw unavailable();
    }
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
    if (claims && claims.epoch < asset.epoch) throw permissionDenied('This address has expired.');
    const file = { kind: asset.kind, type: variant === 'video' ? type : PICTURE };
    if (claims?.expiresAt === undefined) return { ...file, cacheControl: PUBLIC };
    const seconds = Math.floor((claims.expiresAt - this.clock.now()) / 1000);
    return { ...file, cacheControl: `private, max-age=${seconds}, immutable` };
  }

  /** Undefined for an avatar's address without a signature. */
  private claimsOf(path: string, query: URLSearchParams, variant: Variant): SignedUrlClaims | undefined {
    if (variant === 'avatar' && !query.has('s')) return undefined;
    const claims = this.signer.verify(path, query);
    if (claims === 'forged') throw permissionDenied('This address is not valid.');
    if (claims === 'expired') throw permissionDenied('This address has expired.');
    return claims;
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

  /** Resolves at the end of the answer. A reader that leaves, or is too slow, is no failure of ours. */
  private send(key: string, response: ServerResponse, range: ByteRange): Promise<void> {
    if (response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const source = this.objects.read(key, range);
      const timer = setTimeout(() => response.destroy(), SENDING_MS);
      response.once('close', () => {
        clearTimeout(timer);
        source.destroy();
        resolve();
      });
      source.on('error', (error) => {
        if (!response.destroyed) this.logger.error({ err: error, object: key }, 'a file could not be sent');
        response.destroy();
      });
      source.pipe(response);
    });
  }
}
