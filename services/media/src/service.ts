import { rpcContracts } from '@pulso/contracts/rpc';
import { postgres } from '@pulso/platform/postgres/postgres-store';
import { defineService } from '@pulso/platform/service/define-service';
import { preparation } from '@pulso/platform/service/preparation';
import { job } from '@pulso/platform/service/service-job';
import { MediaBytes } from './bytes/media-bytes.js';
import { MediaModule } from './media.module.js';
import { CreateMedia1764700000000 } from './migrations/create-media.migration.js';
import { HideImages1764800000000 } from './migrations/hide-images.migration.js';
import { BucketSettings } from './objects/objects-settings.js';
import { makeBucket } from './objects/open-objects.js';
import { KnownHiddenPosts } from './projection/known-hidden-posts.js';
import { KnownPosts } from './projection/known-posts.js';
import { KnownUsers } from './projection/known-users.js';
import { mediaCommands } from './reconcile/media-commands.js';
import { RemoveAssets } from './removal/remove-assets.job.js';
import { MediaSettings } from './settings.js';

const REMOVAL_MS = 60_000;

/** Images, their storage quota and their delivery. */
export const media = defineService({
  name: 'media',
  rpc: rpcContracts.media,
  settings: MediaSettings,
  store: postgres({
    entities: [],
    migrations: [CreateMedia1764700000000, HideImages1764800000000],
    owns: [],
  }),
  prepares: preparation(BucketSettings, makeBucket),
  module: MediaModule,
  projects: [KnownPosts, KnownHiddenPosts, KnownUsers],
  listener: MediaBytes,
  commands: mediaCommands,
  jobs: [
    job('removal of images', REMOVAL_MS, RemoveAssets, (removal, stopping) => removal.execute(stopping)),
  ],
});
