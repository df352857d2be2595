import 'reflect-metadata';
import { ConfigError, loadConfig } from '@pulso/platform/config/load-config';
import { endWithReader } from '@pulso/platform/process/run-commands';
import { socialDatabaseSchema } from '../config.js';
import { explanationOf, moderate } from '../moderation/moderation-commands.js';

// The moderators' command line; reads SOCIAL_DATABASE_URL. Exit code 1 when nothing was done.
endWithReader(process.stdout);
try {
  const { SOCIAL_DATABASE_URL } = loadConfig(socialDatabaseSchema, process.env);
  await moderate({
    argv: process.argv.slice(2),
    databaseUrl: SOCIAL_DATABASE_URL,
    print: (line) => process.stdout.write(`${line}\n`),
  });
} catch (error) {
  const explanation = error instanceof ConfigError ? error.message : explanationOf(error);
  if (explanation === undefined) throw error;
  process.stderr.write(`${explanation}\n`);
  process.exitCode = 1;
}
