import { rpcContracts } from '@pulso/contracts/rpc';
import { hiddenPostTopic } from '@pulso/contracts/topics/social';
import { postTopic } from '@pulso/contracts/topics/posts';
import { userTopic } from '@pulso/contracts/topics/identity';
import { postgres } from '@pulso/platform/postgres/postgres-store';
import { defineService } from '@pulso/platform/service/define-service';
import { preparation } from '@pulso/platform/service/preparation';
import { job } from '@pulso/platform/service/service-job';
import { ClaimForPost } from './image/claim-for-post.js';
import { ClaimForProfile } from './image/claim-for-profile.js';
import { DeleteImage } from './image/delete-image.js';
import { GetImage } from './image/get-image.js';
import { GetStorage } from './image/get-storage.js';
import { ReleaseClaim } from './image/release-claim.js';
import { RemoveAssets } from './image/remove-assets.job.js';
import { MediaModule } from './media.module.js';
import { CreateMedia1764700000000 } from './migrations/create-media.migration.js';
import { HideImages1764800000000 } from './migrations/hide-images.migration.js';
import { ObjectServer } from './object/object-server.js';
import { BucketSettings } from './object/object-settings.js';
import { makeBucket } from './object/open-objects.js';
import { KnownHiddenPosts } from './projections/known-hidden-posts.js';
import { KnownPosts } from './projections/known-posts.js';
import { KnownUsers } from './projections/known-users.js';
import { reconcileCommand } from './reconciliation/reconcile-command.js';
import { MediaSettings } from './settings.js';

const REMOVAL_MS = 60_000;

/** Images, their storage quota and their delivery. */
export const media = defineService({
  name: 'media',
  rpc: rpcContracts.media,
  settings: MediaSettings,
  signals: true,
  handlers: {
    getImage: GetImage,
    deleteImage: DeleteImage,
    getStorage: GetStorage,
    claimForPost: ClaimForPost,
    releaseClaim: ReleaseClaim,
    claimForProfile: ClaimForProfile,
  },
  store: postgres({
    entities: [],
    migrations: [CreateMedia1764700000000, HideImages1764800000000],
    owns: [],
  }),
  prepares: preparation(BucketSettings, makeBucket),
  module: MediaModule,
  consumes: [userTopic, hiddenPostTopic, postTopic],
  projections: [KnownPosts, KnownHiddenPosts, KnownUsers],
  listener: ObjectServer,
  commands: { reconcile: reconcileCommand },
  jobs: [
    job('removal of images', REMOVAL_MS, RemoveAssets, (removal, stopping) => removal.execute(stopping)),
  ],
});
