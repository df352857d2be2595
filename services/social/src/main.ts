import { assertMigrated } from '@pulso/platform/postgres/assert-migrated';
import { runService } from '@pulso/platform/process/run-service';
import { startSocial } from './app.js';
import { dataSourceOptions } from './database/data-source.js';
import { socialProcessSchema } from './process-config.js';

await runService({
  name: 'social',
  settings: socialProcessSchema,
  assertReady: (config) =>
    assertMigrated('SOCIAL_DATABASE_URL', config.SOCIAL_DATABASE_URL, dataSourceOptions(config)),
  start: startSocial,
});
