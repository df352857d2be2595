import 'reflect-metadata';
import { assertMigrated } from '@pulso/platform/postgres/assert-migrated';
import { reaching } from '@pulso/platform/start/engine-address';
import { runServiceCommands } from '@pulso/platform/process/service-commands';
import { systemClock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { BlockRepository } from '../block/block.repository.js';
import { socialDatabaseSchema } from '../config.js';
import { dataSourceOptions } from '../database/data-source.js';
import { FollowRepository } from '../follow/follow.repository.js';
import { migrateSocial } from '../migrate.js';
import { DecisionRepository } from '../moderation/decision.repository.js';
import { subscribeProjections } from '../projection/consumers.js';
import { KnownSubscriptions } from '../projection/known-subscriptions.js';
import { KnownUsers } from '../projection/known-users.js';
import { RepublishSocial } from '../republish-social.js';
import { ReviewRepository } from '../review/review.repository.js';

const setting = 'SOCIAL_DATABASE_URL';

await runServiceCommands({
  name: 'social',
  settings: socialDatabaseSchema,
  nouns: ['follow', 'block', 'review', 'hidden-post', 'user-suspension'],
  migrate: (config) => reaching(setting, config[setting], () => migrateSocial(config)),
  async open(config) {
    const options = dataSourceOptions({ ...config, SOCIAL_DATABASE_POOL: 2 });
    await assertMigrated(setting, config[setting], options);
    const dataSource = await reaching(setting, config[setting], () => new DataSource(options).initialize());
    return {
      republish: (noun, bus) =>
        new RepublishSocial(
          new FollowRepository(dataSource, systemClock),
          new BlockRepository(dataSource, systemClock),
          new ReviewRepository(dataSource),
          new DecisionRepository(dataSource, systemClock),
        ).execute(noun, bus),
      subscribe: (bus) =>
        subscribeProjections(bus, {
          users: new KnownUsers(dataSource, systemClock),
          subscriptions: new KnownSubscriptions(dataSource),
        }),
      close: () => dataSource.destroy(),
    };
  },
});
