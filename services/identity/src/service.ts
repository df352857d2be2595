import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { owned, postgres } from '@pulso/platform/postgres/postgres-store';
import { defineService } from '@pulso/platform/service/define-service';
import { job } from '@pulso/platform/service/service-job';
import { KnownBlocks } from './block/known-blocks.js';
import { IdentityModule } from './identity.module.js';
import { CreateAccounts1763600000000 } from './migrations/create-accounts.migration.js';
import { CreateDirectory1764100000000 } from './migrations/create-directory.migration.js';
import { RebuildProjections1764200000001 } from './migrations/rebuild-projections.migration.js';
import { ApplySuspension } from './moderation/apply-suspension.js';
import { PurgeSessions } from './session/purge-sessions.js';
import { RefreshToken } from './session/refresh-token.entity.js';
import { Session } from './session/session.entity.js';
import { IdentitySettings } from './settings.js';
import { toUserState } from './user/user-state.js';
import { User } from './user/user.entity.js';

const HOUR_MS = 60 * 60_000;

/** Accounts, sessions, profiles and the coach directory. */
export const identity = defineService({
  name: 'identity',
  rpc: rpcContracts.identity,
  settings: IdentitySettings,
  verificationKeys: (settings) => publicJwks(settings.ACCESS_TOKEN_KEYS),
  store: postgres({
    entities: [User, Session, RefreshToken],
    migrations: [CreateAccounts1763600000000, CreateDirectory1764100000000, RebuildProjections1764200000001],
    owns: [owned(userTopic, User, toUserState)],
  }),
  module: IdentityModule,
  projects: [KnownBlocks, ApplySuspension],
  jobs: [job('purge of sessions', HOUR_MS, PurgeSessions, (purge, stopping) => purge.execute(stopping))],
});
