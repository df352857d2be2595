import 'reflect-metadata';
import { republish } from '@pulso/platform/events/republish';
import { userTopic } from '@pulso/contracts/topics/identity';
import { assertMigrated } from '@pulso/platform/postgres/assert-migrated';
import { reaching } from '@pulso/platform/start/engine-address';
import { runServiceCommands } from '@pulso/platform/process/service-commands';
import { systemClock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { UserRepository } from '../account/user.repository.js';
import { identityConfigSchema } from '../config.js';
import { subscribeConsumers } from '../consumers.js';
import { dataSourceOptions } from '../database/data-source.js';
import { KnownBlocks } from '../directory/known-blocks.js';
import { migrateIdentity } from '../migrate.js';
import { ApplySuspension } from '../moderation/apply-suspension.js';
import { RepublishUsers } from '../profile/republish-users.js';
import { SessionRepository } from '../session/session.repository.js';

const setting = 'IDENTITY_DATABASE_URL';

await runServiceCommands({
  name: 'identity',
  settings: identityConfigSchema.pick({ [setting]: true }),
  nouns: ['user'],
  migrate: (config) => reaching(setting, config[setting], () => migrateIdentity(config)),
  async open(config) {
    const options = dataSourceOptions({ ...config, IDENTITY_DATABASE_POOL: 2 });
    await assertMigrated(setting, config[setting], options);
    const dataSource = await reaching(setting, config[setting], () => new DataSource(options).initialize());
    const users = new UserRepository(dataSource);
    return {
      republish: (_noun, bus) =>
        republish({ topic: userTopic, states: new RepublishUsers(users).states(), bus }),
      subscribe(bus) {
        const sessions = new SessionRepository(dataSource);
        const suspensions = new ApplySuspension(dataSource, users, sessions, systemClock);
        // What a suspension publishes leaves by the running service's outbox.
        subscribeConsumers(bus, { blocks: new KnownBlocks(dataSource), suspensions }, () => undefined);
      },
      close: () => dataSource.destroy(),
    };
  },
});
