import { rpcContracts } from '@pulso/contracts/rpc';
import { hiddenPostTopic } from '@pulso/contracts/topics/social';
import { mediaErasureTopic, videoTopic } from '@pulso/contracts/topics/media';
import { postTopic } from '@pulso/contracts/topics/posts';
import { erasureTopic, userTopic } from '@pulso/contracts/topics/identity';
import { owned, postgres } from '@pulso/platform/postgres/postgres-store';
import { defineService } from '@pulso/platform/service/define-service';
import { preparation } from '@pulso/platform/service/preparation';
import { job } from '@pulso/platform/service/service-job';
import { DeleteArchive } from './archive/delete-archive.js';
import { GetArchive } from './archive/get-archive.js';
import { RemoveArchives } from './archive/remove-archives.job.js';
import { ClaimForPost } from './asset/claim-for-post.js';
import { ClaimForProfile } from './asset/claim-for-profile.js';
import { DeleteAsset } from './asset/delete-asset.js';
import { DeleteImage } from './asset/delete-image.js';
import { GetAsset } from './asset/get-asset.js';
import { GetImage } from './asset/get-image.js';
import { GetStorage } from './asset/get-storage.js';
import { ReleaseClaim } from './asset/release-claim.js';
import { RemoveAssets } from './asset/remove-assets.job.js';
import { EraseMedia } from './erasure/erase-media.js';
import { MediaModule } from './media.module.js';
import { AddArchives1766900000000 } from './migrations/add-archives.migration.js';
import { CreateMedia1764700000000 } from './migrations/create-media.migration.js';
import { AddVideos1766400000000 } from './migrations/add-videos.migration.js';
import { HideImages1764800000000 } from './migrations/hide-images.migration.js';
import { IndexForErasure1766600000001 } from './migrations/index-for-erasure.migration.js';
import { MarkWriters1766700000002 } from './migrations/mark-writers.migration.js';
import { ObjectServer } from './object/object-server.js';
import { BucketSettings } from './object/object-settings.js';
import { makeBucket } from './object/open-objects.js';
import { KnownHiddenPosts } from './projections/known-hidden-posts.js';
import { KnownPosts } from './projections/known-posts.js';
import { KnownUsers } from './projections/known-users.js';
import { reconcileCommand } from './reconciliation/reconcile-command.js';
import { MediaSettings } from './settings.js';
import { ARCHIVES_FOLDER } from './store/archive.js';
import { ExportedRows } from './store/exported-rows.js';
import { toVideoState, Video } from './store/video.entity.js';
import { retryVideoCommand } from './video/retry-video-command.js';
import { VideoQueue } from './video/video-queue.js';
import { videosCommand } from './video/videos-command.js';

const REMOVAL_MS = 60_000;

/** Images and videos, their storage quota and their delivery, and archives of all that is held of a user. */
export const media = defineService({
  name: 'media',
  rpc: rpcContracts.media,
  settings: MediaSettings,
  signals: true,
  handlers: {
    getAsset: GetAsset,
    deleteAsset: DeleteAsset,
    getImage: GetImage,
    deleteImage: DeleteImage,
    getStorage: GetStorage,
    claimForPost: ClaimForPost,
    releaseClaim: ReleaseClaim,
    claimForProfile: ClaimForProfile,
    getArchive: GetArchive,
    deleteArchive: DeleteArchive,
  },
  store: postgres({
    entities: [Video],
    migrations: [
      ...[CreateMedia1764700000000, HideImages1764800000000, AddVideos1766400000000],
      ...[IndexForErasure1766600000001, MarkWriters1766700000002, AddArchives1766900000000],
    ],
    owns: [owned(videoTopic, Video, toVideoState)],
    acknowledges: mediaErasureTopic,
  }),
  prepares: preparation(BucketSettings, makeBucket),
  module: MediaModule,
  consumes: [userTopic, hiddenPostTopic, postTopic, erasureTopic],
  projections: [KnownPosts, KnownHiddenPosts, KnownUsers],
  eraser: EraseMedia,
  exports: ExportedRows,
  notBackedUp: [ARCHIVES_FOLDER],
  queues: [VideoQueue],
  listener: ObjectServer,
  commands: { reconcile: reconcileCommand, videos: videosCommand, 'retry-video': retryVideoCommand },
  jobs: [
    job('removal of files', REMOVAL_MS, RemoveAssets, (removal, stopping) => removal.execute(stopping)),
    job('removal of archives', REMOVAL_MS, RemoveArchives, (removal, stopping) => removal.execute(stopping)),
  ],
});
