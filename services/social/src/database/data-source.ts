import type { DataSourceOptions } from 'typeorm';
import { CreateOutbox1700000000000 } from '@pulso/platform/events/postgres-outbox';
import { Block } from '../block/block.entity.js';
import type { SocialConfig } from '../config.js';
import { Follow } from '../follow/follow.entity.js';
import { CreateSocial1764000000000 } from '../migrations/create-social.migration.js';
import { PostHiding } from '../moderation/post-hiding.entity.js';
import { UserSuspension } from '../moderation/user-suspension.entity.js';
import { Report } from '../report/report.entity.js';
import { Review } from '../review/review.entity.js';

/** Services in one process need named data sources; this is the name of social's. */
export const DATA_SOURCE = 'social';

/** A request's whole budget (design.md, "Requests"). */
const STATEMENT_TIMEOUT_MS = 5_000;

export function dataSourceOptions(
  config: Pick<SocialConfig, 'SOCIAL_DATABASE_URL' | 'SOCIAL_DATABASE_POOL'>,
) {
  return {
    type: 'postgres',
    url: config.SOCIAL_DATABASE_URL,
    applicationName: 'pulso-social',
    poolSize: config.SOCIAL_DATABASE_POOL,
    connectTimeoutMS: STATEMENT_TIMEOUT_MS,
    entities: [Follow, Block, Review, Report, PostHiding, UserSuspension],
    migrations: [CreateOutbox1700000000000, CreateSocial1764000000000],
    migrationsRun: false,
    synchronize: false,
    extra: { statement_timeout: STATEMENT_TIMEOUT_MS },
  } satisfies DataSourceOptions;
}
