import { inContext } from '@pulso/platform/testing/context';
import { Commits } from '@pulso/platform/events/outbox/commits';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { Statements } from '@pulso/platform/postgres/statements';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { TicketSigner } from '@pulso/platform/auth/signed-ticket';
import { DataSource, type EntityManager } from 'typeorm';
import { AssetRepository } from '../../src/store/asset.repository.js';
import { MediaRows } from '../../src/store/media-rows.js';
import { ImageView } from '../../src/asset/image-view.js';
import { ClaimForPost } from '../../src/asset/claim-for-post.js';
import { ClaimForProfile } from '../../src/asset/claim-for-profile.js';
import { ClaimRepository } from '../../src/store/claim.repository.js';
import { StoredPieces } from '../../src/store/stored-pieces.js';
import { StoredVideos } from '../../src/store/stored-videos.js';
import { ReleaseClaim } from '../../src/asset/release-claim.js';
import { DeleteAsset } from '../../src/asset/delete-asset.js';
import { KnownUsers } from '../../src/projections/known-users.js';
import { RemoveAssets } from '../../src/asset/remove-assets.job.js';
import { PictureProcesses } from '../../src/picture/picture-processes.js';
import { CostlyPictures } from '../../src/upload/costly-pictures.js';
import { DiskRoom } from '../../src/upload/disk-room.js';
import { PictureSlots } from '../../src/upload/picture-slots.js';
import { RenderUpload } from '../../src/upload/render-upload.js';
import { UploadImage } from '../../src/upload/upload-image.js';
import { UploadLimits } from '../../src/upload/upload-limits.js';
import type { TestMedia } from '../start.js';
import { uploadRequest } from './upload-request.js';

/**
 * What happens to one call of the database or the object store: it is refused, its answer is lost after it was done, or the
 * process is killed before or after it. A function runs before the call, which then goes on.
 */
export type Strike = 'refused' | 'answer-lost' | 'killed' | 'killed-after' | (() => void | Promise<void>);

/** The error of a call that was struck, and of every call of a process that was killed. */
export class Struck extends Error {}

/**
 * The use cases of one process of media, on the engines of a TestMedia; there may be many at once. `strike` is asked before
 * each call of an engine, the begin and the commit of a transaction among them. A killed process does nothing more, however
 * its code goes on.
 */
export class MediaProcess {
  isKilled = false;
  strike: (isInTransaction: boolean) => Strike | undefined = () => undefined;
  readonly uploadImage: UploadImage;
  readonly claimForPost: ClaimForPost;
  readonly claimForProfile: ClaimForProfile;
  readonly releaseClaim: ReleaseClaim;
  readonly deleteAsset: DeleteAsset;
  private readonly removeAssets: RemoveAssets;

  constructor({ service, limits }: TestMedia) {
    const [clock, logger] = [service.get(Clock), service.get(Logger)];
    const dataSource = this.strikable(service.get(DataSource));
    const objects = this.objectsOf(service.get(ObjectStore));
    const writes = new Writes(dataSource, service.get(Commits));
    const kept = service.get(MediaRows);
    const assets = new AssetRepository(dataSource, service.get(Statements), writes, kept, clock);
    const claims = new ClaimRepository(dataSource, assets, clock);
    const tickets = service.get(TicketSigner);
    const rendering = new RenderUpload(
      ...([new PictureSlots(limits), service.get(PictureProcesses), service.get(CostlyPictures)] as const),
      ...([limits, logger] as const),
    );
    this.uploadImage = new UploadImage(
      ...([service.get(KnownUsers), assets, objects, service.get(ImageView)] as const),
      ...([rendering, service.get(DiskRoom), limits satisfies UploadLimits, clock, logger] as const),
    );
    const videos = new StoredVideos(dataSource, writes, assets, clock);
    this.claimForPost = new ClaimForPost(claims, videos, writes, tickets);
    this.claimForProfile = new ClaimForProfile(claims, writes, tickets);
    this.releaseClaim = new ReleaseClaim(claims);
    this.deleteAsset = new DeleteAsset(assets, writes, clock);
    this.removeAssets = new RemoveAssets(
      ...([assets, objects, new StoredPieces(dataSource, objects), videos, claims, logger] as const),
    );
  }

  as<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return inContext({ userId, sessionId: 's', expiresAt: Infinity }, work);
  }

  /** Uploads a file, with the length of the form unless `isOpenEnded`. */
  upload(
    userId: string,
    file: Buffer,
    { purpose = 'post', isOpenEnded = false, signal = new AbortController().signal } = {},
  ) {
    const request = uploadRequest({ purpose, file, isOpenEnded });
    return this.as(userId, () => this.uploadImage.execute(request, signal));
  }

  remove(): Promise<void> {
    return this.removeAssets.execute(new AbortController().signal);
  }

  private async step<T>(call: () => Promise<T>, isInTransaction = false): Promise<T> {
    if (this.isKilled) throw new Struck('the process is killed');
    const strike = this.strike(isInTransaction);
    if (typeof strike === 'function') await strike();
    if (strike === undefined || typeof strike === 'function') return call();
    if (strike === 'answer-lost' || strike === 'killed-after') await call();
    if (strike === 'killed' || strike === 'killed-after') this.isKilled = true;
    throw new Struck(strike);
  }

  private strikable(real: DataSource): DataSource {
    const query = (...call: [string, unknown[]?]) => this.step(() => real.query(...call));
    const transaction = (work: (manager: EntityManager) => Promise<unknown>) =>
      this.step(() =>
        real.transaction(async (manager) => {
          const inside = (...call: [string, unknown[]?]) => this.step(() => manager.query(...call), true);
          const result = await work({ query: inside } as unknown as EntityManager);
          // The commit, which may be refused.
          await this.step(() => Promise.resolve(), true);
          return result;
        }),
      );
    return { query, transaction, manager: { query } } as unknown as DataSource;
  }

  private objectsOf(real: ObjectStore): ObjectStore {
    return new Proxy(real, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...call: unknown[]) => Promise<unknown>;
        return (...call: unknown[]) => this.step(() => method.apply(target, call));
      },
    });
  }
}
