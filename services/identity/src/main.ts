import { assertMigrated } from '@pulso/platform/postgres/assert-migrated';
import { runService } from '@pulso/platform/process/run-service';
import { startIdentity } from './app.js';
import { dataSourceOptions } from './database/data-source.js';
import { identityProcessSchema } from './process-config.js';

await runService({
  name: 'identity',
  settings: identityProcessSchema,
  assertReady: (config) =>
    assertMigrated('IDENTITY_DATABASE_URL', config.IDENTITY_DATABASE_URL, dataSourceOptions(config)),
  start: startIdentity,
});
