import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from '../prepare.mjs';

const ENGINES = {
  KAFKA_BROKERS: 'kafkaBrokers',
  REDIS_URL: 'redisUrl',
  POSTGRES_URL: 'postgresUrl',
  MONGODB_URL: 'mongodbUrl',
  S3_URL: 's3Url',
};

/** Found by their folders, because nothing may be built yet. */
const SERVICES = readdirSync(join(root, 'services')).filter(
  (name) => !['platform', 'registry'].includes(name),
);
const ROLES = [...SERVICES, 'gateway'];
const replicasOf = (/** @type {string} */ role) => `${role.toUpperCase()}_REPLICAS`;

const USAGE = `Usage: npm run start:cluster [-- --engines]
Starts every service and the gateway as a process of its own, until Ctrl-C, against the engines that KAFKA_BROKERS,
REDIS_URL, POSTGRES_URL, MONGODB_URL and S3_URL name; with none named, against engines of this machine that live as long.
  --engines  engines of this machine, even where the environment names some
  --help     this text
With PAYMENTS=simulator a simulator of Stripe runs beside them, at SIMULATOR_PORT (0: the one of the last start if it is free, else any).
Its own settings are PORT (8080), PULSO_DATA_DIR (.data) and ${ROLES.map(replicasOf).join(', ')} (1 each).
The processes' settings are passed on. See docs/operations/set-up.md.`;

/**
 * The settings of `npm run start:cluster` (docs/operations/set-up.md). A wrong one ends the program with a line that names it.
 * `engines` is undefined when the environment names none, and they have to be started here.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function readStartSettings(args, env) {
  if (args.includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  const unknown = args.find((argument) => argument !== '--engines');
  if (unknown) fail(`Unknown option ${unknown}. The options are --engines and --help.`);
  const named = Object.keys(ENGINES).filter((name) => env[name]);
  const missing = Object.keys(ENGINES).filter((name) => !env[name]);
  const own = args.includes('--engines') || named.length === 0;
  if (!own && missing.length > 0)
    fail(`${missing.join(', ')}: not set. Name all engines, or none to have them started here.`);
  // The URLs of the services' databases are derived from it, so errors in them would name other settings.
  if (!own && !/^postgres(ql)?:\/\/[^/]/.test(env.POSTGRES_URL ?? ''))
    fail('POSTGRES_URL: must be a postgres:// URL.');
  if (!own && !/^https?:\/\/[^/]+:[^/]+@[^/?#]+\/?$/.test(env.S3_URL ?? ''))
    fail(
      'S3_URL: must be the http:// or https:// URL of a server, with key and secret and without a bucket.',
    );
  const count = (/** @type {string} */ name) => wholeNumber(env, name, 1, 1, 16);
  return {
    engines: own
      ? undefined
      : /** @type {import('./cluster.mjs').Engines} */ (
          Object.fromEntries(Object.entries(ENGINES).map(([name, key]) => [key, env[name]]))
        ),
    port: wholeNumber(env, 'PORT', 8080, 1, 65_535),
    simulatorPort: wholeNumber(env, 'SIMULATOR_PORT', 0, 0, 65_535),
    dataDirectory: env.PULSO_DATA_DIR || '.data',
    logLevel: env.LOG_LEVEL || 'warn',
    replicas: Object.fromEntries(ROLES.map((role) => [role, count(replicasOf(role))])),
  };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 * @param {number} fallback
 * @param {number} least
 * @param {number} most
 */
function wholeNumber(env, name, fallback, least, most) {
  const value = Number(env[name] || fallback);
  if (!Number.isInteger(value) || value < least || value > most) {
    fail(`${name}: must be a whole number from ${least} to ${most}.`);
  }
  return value;
}
