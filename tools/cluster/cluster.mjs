import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { serviceEnvironment } from '@pulso/embedded/compose-pulso';
import { createDatabases, databasesOn } from '@pulso/embedded/databases';
import { mailEnvironment } from '@pulso/embedded/start-mail';
import { videoEnvironment } from '@pulso/embedded/start-video';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { databaseUrlSetting, readStoreTarget } from '@pulso/platform/service/service-settings';
import { createAllTopics } from '@pulso/registry/create-all-topics';
import { SERVICES } from '@pulso/registry/services';
import { WORKERS } from '@pulso/registry/workers';
import { connectOrExplain } from '@pulso/platform/process/engine-address';
import { freePorts } from '../free-ports.mjs';
import { root as ownRoot } from '../prepare.mjs';
import { ClusterProcess } from './cluster-process.mjs';

/**
 * @typedef {import('@pulso/contracts/rpc').ServiceName} Service
 * @typedef {keyof typeof import('@pulso/registry/workers').WORKERS} Worker
 * @typedef {Service | Worker | 'gateway'} Role
 *
 * @typedef {object} Engines
 * @property {string} kafkaBrokers `host:port`, several with commas
 * @property {string} redisUrl
 * @property {string} postgresUrl of a database on whose server others can be created
 * @property {string} mongodbUrl
 * @property {string} s3Url of a server on which buckets can be made, with key and secret
 *
 * @typedef {object} ClusterOptions
 * @property {Engines} engines
 * @property {import('@pulso/embedded/launcher/data-directory').Secrets} secrets
 * @property {string} prefix of the names of its databases and of its bucket
 * @property {string} [root] of the repository; for a bundle, which is elsewhere than this file
 * @property {string} [topicPrefix] of the names of its topics and consumer groups
 * @property {Partial<Record<Role, number>>} [replicas] 1 of each unless given
 * @property {number} [port] of the first gateway, the others follow; 0 or none: any
 * @property {Record<string, string>} [env] further settings of the processes, each of which reads the ones it knows
 * @property {string} [logLevel]
 * @property {string} [tracesTo] OTLP endpoint of all processes
 * @property {(line: string) => void} [onLine] gets what the processes print
 * @property {(stop: () => Promise<void>) => void} [onStoppable] gets what ends the processes, before the first one starts
 * @property {(step: string) => void} [onStep] gets the current step
 *
 * @typedef {object} Cluster
 * @property {string[]} urls of the gateways
 * @property {Record<Role, ClusterProcess[]>} processes
 * @property {import('@pulso/embedded/databases').Databases} databases
 * @property {Record<Service, Record<string, string>>} settings the environment of each service's processes and
 * commands
 * @property {() => Promise<void>} stop
 */

const run = promisify(execFile);

/** How many ports a process of the service takes. @param {Service} service */
const portsOf = (service) => (SERVICES[service].listener ? 3 : 2);

const WORKER_NAMES = /** @type {Worker[]} */ (Object.keys(WORKERS));

/** @param {Role} role */
const scriptOf = (role) => {
  if (role === 'gateway') return 'gateway/bundle/main.js';
  if (!Object.hasOwn(WORKERS, role)) return `services/${role}/bundle/main.js`;
  const { service, name } = WORKERS[/** @type {Worker} */ (role)];
  return `services/${service.name}/bundle/${name.slice(service.name.length + 1)}-worker-main.js`;
};

/** Those that make much garbage a request, see docs/operations/settings.md, Node's own settings. @type {Set<Role>} */
const ROOMY = new Set(['gateway', 'posts']);

/** A service's command line. @param {Service} service */
export const commandLineOf = (service) => `services/${service}/bundle/cli/main.js`;

/**
 * The cluster profile on this machine, on engines that are already running: this process creates and migrates databases and
 * topics, as the commands `migrate` and `topics create` do, which would each need a process of their own. Then every service
 * and the gateway start as separate processes.
 *
 * @param {ClusterOptions} options
 * @returns {Promise<Cluster>}
 */
export async function startCluster(options) {
  const { engines, secrets, replicas = {}, onStep = () => undefined } = options;
  const databases = databasesOn(engines, options.prefix);
  const objectsUrl = bucketUrl(engines.s3Url, options.prefix);
  const kafka = {
    ...options.env,
    KAFKA_BROKERS: engines.kafkaBrokers,
    ...(options.topicPrefix && { KAFKA_PREFIX: options.topicPrefix }),
  };
  const settings = /** @type {Cluster['settings']} */ (
    Object.fromEntries(
      SERVICE_NAMES.map((name) => [
        name,
        { ...kafka, ...serviceEnvironment(name, { databases, secrets, objectsUrl }) },
      ]),
    )
  );
  onStep('Preparing databases, topics and a bucket');
  await connectOrExplain('POSTGRES_URL', engines.postgresUrl, () =>
    createDatabases(engines.postgresUrl, databases),
  );
  await Promise.all([
    ...SERVICE_NAMES.map(async (name) => {
      const target = readStoreTarget(SERVICES[name], { [databaseUrlSetting(name)]: databases[name] });
      await SERVICES[name].store.migrate(target, { finish: true });
      await SERVICES[name].prepares?.read(settings[name])();
    }),
    prepareTopics(kafka),
  ]);

  onStep('Starting the services');
  const processes = /** @type {Cluster['processes']} */ (
    Object.fromEntries([...SERVICE_NAMES, ...WORKER_NAMES, 'gateway'].map((role) => [role, []]))
  );
  const stop = async () => {
    // The gateways stop first, so that their running requests still reach the services.
    await Promise.all(processes.gateway.map((gateway) => gateway.stop()));
    await Promise.all(
      [...SERVICE_NAMES, ...WORKER_NAMES].flatMap((name) => processes[name].map((member) => member.stop())),
    );
  };
  options.onStoppable?.(stop);
  try {
    /** @type {Record<string, string>} */
    const targets = {};
    // All ports are chosen in one call, so that no two processes get the same.
    const free = await freePorts(
      SERVICE_NAMES.reduce((sum, name) => sum + portsOf(name) * (replicas[name] ?? 1), 0),
    );
    for (const name of SERVICE_NAMES) {
      const ports = free.splice(0, replicas[name] ?? 1);
      targets[`${name.toUpperCase()}_RPC_URL`] = ports.map((port) => `127.0.0.1:${port}`).join(',');
      const bytes = SERVICES[name].listener ? free.splice(0, ports.length) : [];
      // Any of them serves every file; in production a load balancer is in front of them.
      if (bytes.length > 0) targets.MEDIA_BYTES_URL = `http://127.0.0.1:${bytes[0]}`;
      processes[name] = ports.map((RPC_PORT, index) =>
        member(options, name, index, free.pop(), {
          ...settings[name],
          REDIS_URL: engines.redisUrl,
          RPC_HOST: '127.0.0.1',
          RPC_PORT: `${RPC_PORT}`,
          ...(bytes.length > 0 && { BYTES_PORT: `${bytes[index]}` }),
        }),
      );
    }
    await startAll(SERVICE_NAMES.flatMap((name) => processes[name]));
    onStep('Starting the gateway');
    const count = replicas.gateway ?? 1;
    const workers = WORKER_NAMES.flatMap((name) => Array.from({ length: replicas[name] ?? 1 }, () => name));
    free.push(...(await freePorts(2 * count + workers.length)));
    const ports = free.splice(0, count).map((port, index) => (options.port ? options.port + index : port));
    const publicUrl = `http://localhost:${ports[0]}`;
    processes.gateway = ports.map((PORT, index) =>
      member(options, 'gateway', index, free.pop(), {
        PUBLIC_URL: publicUrl,
        ...options.env,
        ...targets,
        ACCESS_TOKEN_JWKS: JSON.stringify(publicJwks(secrets.signingKeys)),
        PULSO_AFTER_SECRETS: JSON.stringify(secrets.pulsoAfter),
        REDIS_URL: engines.redisUrl,
        PORT: `${PORT}`,
      }),
    );
    /** @type {Record<Worker, Record<string, string>>} */
    const made = {
      'messaging-mail': mailEnvironment({ databases, secrets, env: options.env, publicUrl }),
      'media-video': videoEnvironment({ databases, objectsUrl }),
    };
    for (const name of workers) {
      const env = { ...made[name], ...options.env, REDIS_URL: engines.redisUrl };
      processes[name].push(member(options, name, processes[name].length, free.pop(), env));
    }
    await startAll([...processes.gateway, ...WORKER_NAMES.flatMap((name) => processes[name])]);
    return { urls: ports.map((port) => `http://127.0.0.1:${port}`), processes, databases, settings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The bucket of media's files; the names of buckets have no underscores.
 *
 * @param {string} server
 * @param {string} prefix
 */
export const bucketUrl = (server, prefix) =>
  new URL(`${prefix.replaceAll('_', '-')}-media`, server.replace(/\/?$/, '/')).href;

/** Throws if a topic has fewer partitions than its contract. @param {Record<string, string>} env */
async function prepareTopics(env) {
  const { short } = await createAllTopics(env);
  if (short.length > 0) throw new Error(short.join('\n'));
}

/**
 * Rejects on the first failure without waiting for the others; the caller stops them.
 *
 * @param {ClusterProcess[]} members
 */
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
function member({ root = ownRoot, logLevel = 'warn', tracesTo, onLine }, role, index, operationsPort, env) {
  return new ClusterProcess({
    name: `${role}-${index + 1}`,
    script: join(root, scriptOf(role)),
    execArgv: ROOMY.has(role) ? ['--max-semi-space-size=64'] : [],
    env: {
      ...env,
      LOG_LEVEL: logLevel,
      OPERATIONS_PORT: `${operationsPort}`,
      ...(tracesTo && { OTEL_EXPORTER_OTLP_ENDPOINT: tracesTo }),
    },
    operationsPort,
    onLine,
  });
}

/** Ends a command that hangs. */
const COMMAND_LIMIT_MS = 300_000;

/**
 * Runs a command of the product; when it fails, the error contains its output.
 *
 * @param {string} script
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export async function runCommand(script, args, env) {
  try {
    const { stdout } = await run(process.execPath, [join(ownRoot, script), ...args], {
      env: { PATH: process.env.PATH, ...env },
      timeout: COMMAND_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    return stdout;
  } catch (error) {
    const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error);
    throw new Error(stderr?.trim() || message, { cause: error });
  }
}
