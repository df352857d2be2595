import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reaching } from '@pulso/platform/process/engine-address';
import pg from 'pg';
import { freePorts } from '../free-ports.mjs';
import { root } from '../prepare.mjs';
import { ClusterProcess } from './cluster-process.mjs';

/**
 * @typedef {object} Engines
 * @property {string} kafkaBrokers `host:port`, several with commas
 * @property {string} redisUrl
 * @property {string} postgresUrl of a database from which others may be created
 * @property {string} mongodbUrl
 *
 * @typedef {object} Secrets
 * @property {object[]} signingKeys private JWKs
 * @property {{ kid: string, secret: string }[]} cursor
 * @property {{ kid: string, secret: string }[]} pulsoAfter
 *
 * @typedef {'identity' | 'social' | 'posts'} Service
 * @typedef {Service | 'gateway'} Role
 *
 * @typedef {object} ClusterOptions
 * @property {Engines} engines
 * @property {Secrets} secrets
 * @property {string} prefix of its databases' names
 * @property {string} [topicPrefix] of its topics and consumer groups
 * @property {Partial<Record<Role, number>>} [replicas] 1 of each unless given
 * @property {number} [port] of the first gateway, the others follow; 0 or none: any
 * @property {Record<string, string>} [gatewayEnv] more settings of the gateways
 * @property {Partial<Record<Service | 'kafka' | 'every', Record<string, string>>>} [env] more settings: of one service, of
 *   Kafka for whom it concerns, of every process
 * @property {string} [logLevel]
 * @property {string} [tracesTo] OTLP endpoint of all processes
 * @property {(line: string) => void} [onLine] gets what the processes print
 * @property {(step: string) => void} [onStep] gets what is being done
 *
 * @typedef {object} Cluster
 * @property {string[]} urls of the gateways
 * @property {Record<Role, ClusterProcess[]>} processes
 * @property {{ identity: string, social: string, posts: string }} databases
 * @property {(service: Service, args: string[]) => Promise<void>} run a command of a service
 * @property {Record<Role | 'kafka', Record<string, string>>} settings what each process and command is told
 * @property {() => Promise<void>} stop
 */

const run = promisify(execFile);
/** @type {Service[]} */
const SERVICES = ['identity', 'social', 'posts'];

/**
 * The cluster profile on this machine: databases and topics are made and migrated by the commands, then every service
 * and the gateway start as processes of their own, against engines that run already.
 *
 * @param {ClusterOptions} options
 * @returns {Promise<Cluster>}
 */
export async function startCluster(options) {
  const { replicas = {}, onStep = () => undefined } = options;
  const databases = {
    identity: databaseUrl(options.engines.postgresUrl, `${options.prefix}_identity`),
    social: databaseUrl(options.engines.postgresUrl, `${options.prefix}_social`),
    posts: databaseUrl(options.engines.mongodbUrl, `${options.prefix}_posts`),
  };
  const settings = settingsOf(options, databases);
  onStep('Preparing databases and topics');
  const { postgresUrl } = options.engines;
  await reaching('POSTGRES_URL', postgresUrl, () =>
    createDatabases(postgresUrl, [databases.identity, databases.social]),
  );
  await Promise.all([
    ...SERVICES.map((service) =>
      runCommand(`services/${service}/dist/cli/main.js`, ['migrate'], settings[service]),
    ),
    runCommand('services/platform/dist/cli/topics.js', ['create'], settings.kafka),
  ]);

  onStep('Starting the services');
  /** @type {Cluster['processes']} */
  const processes = { identity: [], social: [], posts: [], gateway: [] };
  const stop = async () => {
    // The gateways first: what is on its way through them still finds the services.
    await Promise.all(processes.gateway.map((gateway) => gateway.stop()));
    await Promise.all(SERVICES.flatMap((service) => processes[service].map((member) => member.stop())));
  };
  try {
    /** @type {Record<string, string>} */
    const targets = {};
    // All at once, so that no two processes get the same.
    const free = await freePorts(SERVICES.reduce((sum, service) => sum + 2 * (replicas[service] ?? 1), 0));
    for (const service of SERVICES) {
      const ports = free.splice(0, replicas[service] ?? 1);
      targets[`${service.toUpperCase()}_RPC_URL`] = ports.map((port) => `127.0.0.1:${port}`).join(',');
      processes[service] = ports.map((RPC_PORT, index) =>
        member(options, service, index, free.pop(), {
          ...settings[service],
          RPC_HOST: '127.0.0.1',
          RPC_PORT: `${RPC_PORT}`,
        }),
      );
    }
    await startAll(SERVICES.flatMap((service) => processes[service]));
    onStep('Starting the gateway');
    const count = replicas.gateway ?? 1;
    free.push(...(await freePorts(2 * count)));
    const ports = free.splice(0, count).map((port, index) => (options.port ? options.port + index : port));
    processes.gateway = ports.map((PORT, index) =>
      member(options, 'gateway', index, free.pop(), {
        ...settings.gateway,
        ...targets,
        PUBLIC_URL: `http://localhost:${ports[0]}`,
        ...options.gatewayEnv,
        PORT: `${PORT}`,
      }),
    );
    await startAll(processes.gateway);
    return {
      urls: ports.map((port) => `http://127.0.0.1:${port}`),
      processes,
      databases,
      run: async (service, args) => {
        await runCommand(`services/${service}/dist/cli/main.js`, args, settings[service]);
      },
      settings,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** When one does not start the others are not waited for: whoever called stops them. @param {ClusterProcess[]} members */
async function startAll(members) {
  await Promise.all(members.map((process) => process.start()));
}

/**
 * @param {ClusterOptions} options
 * @param {Role} role
 * @param {number} index
 * @param {number} operationsPort
 * @param {Record<string, string>} env
 */
function member({ logLevel = 'warn', tracesTo, env: more, onLine }, role, index, operationsPort, env) {
  return new ClusterProcess({
    name: `${role}-${index + 1}`,
    script: join(root, role === 'gateway' ? 'gateway' : `services/${role}`, 'dist/main.js'),
    env: {
      ...more?.every,
      ...env,
      LOG_LEVEL: logLevel,
      OPERATIONS_PORT: `${operationsPort}`,
      ...(tracesTo && { OTEL_EXPORTER_OTLP_ENDPOINT: tracesTo }),
    },
    operationsPort,
    onLine,
  });
}

/**
 * What each process is to know, and no more.
 *
 * @param {ClusterOptions} options
 * @param {Cluster['databases']} databases
 * @returns {Record<Role | 'kafka', Record<string, string>>}
 */
function settingsOf({ engines, secrets, topicPrefix, env = {} }, databases) {
  const kafka = {
    ...env.kafka,
    KAFKA_BROKERS: engines.kafkaBrokers,
    ...(topicPrefix && { KAFKA_PREFIX: topicPrefix }),
  };
  const publicKeys = JSON.stringify(
    secrets.signingKeys.map((key) =>
      Object.fromEntries(Object.entries(key).filter(([name]) => name !== 'd')),
    ),
  );
  const cursors = { CURSOR_SECRETS: JSON.stringify(secrets.cursor) };
  return {
    kafka,
    identity: {
      ...env.identity,
      ...kafka,
      ...cursors,
      IDENTITY_DATABASE_URL: databases.identity,
      ACCESS_TOKEN_KEYS: JSON.stringify(secrets.signingKeys),
    },
    social: {
      ...env.social,
      ...kafka,
      ...cursors,
      SOCIAL_DATABASE_URL: databases.social,
      ACCESS_TOKEN_JWKS: publicKeys,
    },
    posts: {
      ...env.posts,
      ...kafka,
      ...cursors,
      MONGODB_URL: databases.posts,
      ACCESS_TOKEN_JWKS: publicKeys,
    },
    gateway: {
      ACCESS_TOKEN_JWKS: publicKeys,
      PULSO_AFTER_SECRETS: JSON.stringify(secrets.pulsoAfter),
      REDIS_URL: engines.redisUrl,
    },
  };
}

/**
 * Runs a command of the product; a failure carries what it printed.
 *
 * @param {string} script
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export async function runCommand(script, args, env) {
  try {
    const { stdout } = await run(process.execPath, [join(root, script), ...args], {
      env: { PATH: process.env.PATH, ...env },
    });
    return stdout;
  } catch (error) {
    const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error);
    throw new Error(stderr?.trim() || message, { cause: error });
  }
}

/** The URL of database `name` on the server or servers that `url` names; its options stay. @param {string} url @param {string} name */
export function databaseUrl(url, name) {
  return url.replace(/^([a-z+]+:\/\/[^/?]+)(\/[^?]*)?/, `$1/${name}`);
}

/** @param {string} serverUrl @param {string[]} urls */
async function createDatabases(serverUrl, urls) {
  await withServer(serverUrl, async (client) => {
    for (const url of urls) {
      const name = new URL(url).pathname.slice(1);
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    }
  });
}

/** @param {string} url @param {(client: pg.Client) => Promise<void>} use */
export async function withServer(url, use) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
