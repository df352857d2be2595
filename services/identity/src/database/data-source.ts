import type { DataSourceOptions } from 'typeorm';
import { CreateOutbox1700000000000 } from '@pulso/platform/events/postgres-outbox';
import { User } from '../account/user.entity.js';
import type { IdentityConfig } from '../config.js';
import { CreateAccounts1763600000000 } from '../migrations/create-accounts.migration.js';
import { CreateDirectory1764100000000 } from '../migrations/create-directory.migration.js';
import { RefreshToken } from '../session/refresh-token.entity.js';
import { Session } from '../session/session.entity.js';

/** Services in one process need named data sources; this is the name of identity's. */
export const DATA_SOURCE = 'identity';

/** A request's whole budget (design.md, "Requests"). */
const STATEMENT_TIMEOUT_MS = 5_000;

export function dataSourceOptions(
  config: Pick<IdentityConfig, 'IDENTITY_DATABASE_URL' | 'IDENTITY_DATABASE_POOL'>,
) {
  return {
    type: 'postgres',
    url: config.IDENTITY_DATABASE_URL,
    applicationName: 'pulso-identity',
    poolSize: config.IDENTITY_DATABASE_POOL,
    connectTimeoutMS: STATEMENT_TIMEOUT_MS,
    entities: [User, Session, RefreshToken],
    migrations: [CreateOutbox1700000000000, CreateAccounts1763600000000, CreateDirectory1764100000000],
    migrationsRun: false,
    synchronize: false,
    extra: { statement_timeout: STATEMENT_TIMEOUT_MS },
  } satisfies DataSourceOptions;
}
