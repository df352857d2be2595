import { fail } from '../prepare.mjs';

const ENGINES = {
  KAFKA_BROKERS: 'kafkaBrokers',
  REDIS_URL: 'redisUrl',
  POSTGRES_URL: 'postgresUrl',
  MONGODB_URL: 'mongodbUrl',
};

const USAGE = `Usage: npm run start:cluster [-- --engines]

Starts every service and the gateway as a process of its own, until Ctrl-C, against the engines that KAFKA_BROKERS,
REDIS_URL, POSTGRES_URL and MONGODB_URL name; with none named, against engines of this machine that live as long.

  --engines  engines of this machine, even where the environment names some
  --help     this text

PORT (8080), PULSO_DATA_DIR (.data), IDENTITY_REPLICAS, SOCIAL_REPLICAS, POSTS_REPLICAS and GATEWAY_REPLICAS (1 each) are
its own; the processes' settings are passed on. See docs/operations.md.`;

/** What each process is told as it is, who checks it and says so itself; keys and secrets are the cluster's own. */
const PASSED_ON = {
  gateway: [
    'NODE_ENV',
    'HOST',
    'PUBLIC_URL',
    'STATIC_DIR',
    'TRUSTED_PROXIES',
    'RATE_LIMIT_FACTOR',
    'MARKETING_PROFESSIONALS',
    'MARKETING_TOP_COACH_EARNINGS',
  ],
  identity: [
    'IDENTITY_DATABASE_POOL',
    'ACCESS_TOKEN_TTL_SECONDS',
    'REFRESH_TOKEN_TTL_DAYS',
    'PASSWORD_MIN_LENGTH',
    'PASSWORD_HASH_CONCURRENCY',
    'PASSWORD_HASH_QUEUE',
  ],
  social: ['SOCIAL_DATABASE_POOL'],
  posts: ['MONGODB_POOL'],
  every: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
};
/** Of a Kafka that the environment names; one of this machine needs none of it. */
const OF_KAFKA = [
  'KAFKA_PREFIX',
  'KAFKA_CLIENT_ID',
  'KAFKA_SSL',
  'KAFKA_SASL_USERNAME',
  'KAFKA_SASL_PASSWORD',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_REPLICATION_FACTOR',
];

/**
 * The settings of `npm run start:cluster` (docs/operations.md); a wrong one ends the program with a line that names it.
 * `engines` is undefined where the environment names none: they are to be started here.
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
  if (unknown) fail(`Unknown option ${unknown}. There are --engines and --help.`);
  const named = Object.keys(ENGINES).filter((name) => env[name]);
  const missing = Object.keys(ENGINES).filter((name) => !env[name]);
  const own = args.includes('--engines') || named.length === 0;
  if (!own && missing.length > 0)
    fail(`${missing.join(', ')}: not set. Name all engines, or none to have them started here.`);
  // The services' own databases are made of it: they would name other settings.
  if (!own && !/^postgres(ql)?:\/\/[^/]/.test(env.POSTGRES_URL ?? ''))
    fail('POSTGRES_URL: must be a postgres:// URL.');
  const count = (/** @type {string} */ name) => wholeNumber(env, name, 1, 1, 16);
  return {
    engines: own
      ? undefined
      : /** @type {import('./cluster.mjs').Engines} */ (
          Object.fromEntries(Object.entries(ENGINES).map(([name, key]) => [key, env[name]]))
        ),
    port: wholeNumber(env, 'PORT', 8080, 1, 65_535),
    dataDirectory: env.PULSO_DATA_DIR || '.data',
    logLevel: env.LOG_LEVEL || 'warn',
    replicas: {
      identity: count('IDENTITY_REPLICAS'),
      social: count('SOCIAL_REPLICAS'),
      posts: count('POSTS_REPLICAS'),
      gateway: count('GATEWAY_REPLICAS'),
    },
    gatewayEnv: given(env, PASSED_ON.gateway),
    env: {
      every: given(env, PASSED_ON.every),
      kafka: given(env, own ? [] : OF_KAFKA),
      identity: given(env, PASSED_ON.identity),
      social: given(env, PASSED_ON.social),
      posts: given(env, PASSED_ON.posts),
    },
  };
}

/** @param {NodeJS.ProcessEnv} env @param {string[]} names @returns {Record<string, string>} those of them that are set */
function given(env, names) {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
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
