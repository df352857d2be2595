import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { serviceEnvironment } from '@pulso/embedded/compose-pulso';
import { createDatabases, databasesOn } from '@pulso/embedded/databases';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { databaseUrlSetting } from '@pulso/platform/service/service-settings';
import { connectOrExplain } from '@pulso/platform/start/engine-address';
import { freePorts } from '../free-ports.mjs';
import { root } from '../prepare.mjs';
import { ClusterProcess } from './cluster-process.mjs';

/**
 * @typedef {import('@pulso/contracts/rpc').ServiceName} Service
 * @typedef {Service | 'gateway'} Role
 *
 * @typedef {object} Engines
 * @property {string} kafkaBrokers `host:port`, several with commas
 * @property {string} redisUrl
 * @property {string} postgresUrl of a database on whose server others can be created
 * @property {string} mongodbUrl
 *
 * @typedef {object} ClusterOptions
 * @property {Engines} engines
 * @property {import('@pulso/embedded/launcher/data-directory').Secrets} secrets
 * @property {string} prefix of the names of its databases
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

/** A service's command line. @param {Service} service */
export const commandLineOf = (service) => `services/${service}/dist/cli/main.js`;

/**
 * The cluster profile on this machine: the commands create and migrate databases and topics, then every service and
 * the gateway start as separate processes, on engines that are already running.
 *
 * @param {ClusterOptions} options
 * @returns {Promise<Cluster>}
 */
export async function startCluster(options) {
  const { engines, secrets, replicas = {}, onStep = () => undefined } = options;
  const databases = databasesOn(engines, options.prefix);
  const kafka = {
    ...options.env,
    KAFKA_BROKERS: engines.kafkaBrokers,
    ...(options.topicPrefix && { KAFKA_PREFIX: options.topicPrefix }),
  };
  const settings = /** @type {Cluster['settings']} */ (
    Object.fromEntries(
      SERVICE_NAMES.map((name) => [name, { ...kafka, ...serviceEnvironment(name, { databases, secrets }) }]),
    )
  );
  onStep('Preparing databases and topics');
  await connectOrExplain('POSTGRES_URL', engines.postgresUrl, () =>
    createDatabases(engines.postgresUrl, databases),
  );
  await Promise.all([
    ...SERVICE_NAMES.map((name) =>
      runCommand(commandLineOf(name), ['migrate'], { [databaseUrlSetting(name)]: databases[name] }),
    ),
    runCommand('services/registry/dist/cli/topics.js', ['create'], kafka),
  ]);

  onStep('Starting the services');
  const processes = /** @type {Cluster['processes']} */ (
    Object.fromEntries([...SERVICE_NAMES, 'gateway'].map((role) => [role, []]))
  );
  const stop = async () => {
    // The gateways stop first, so that their running requests still reach the services.
    await Promise.all(processes.gateway.map((gateway) => gateway.stop()));
    await Promise.all(SERVICE_NAMES.flatMap((name) => processes[name].map((member) => member.stop())));
  };
  options.onStoppable?.(stop);
  try {
    /** @type {Record<string, string>} */
    const targets = {};
    // All ports are chosen in one call, so that no two processes get the same.
    const free = await freePorts(SERVICE_NAMES.reduce((sum, name) => sum + 2 * (replicas[name] ?? 1), 0));
    for (const name of SERVICE_NAMES) {
      const ports = free.splice(0, replicas[name] ?? 1);
      targets[`${name.toUpperCase()}_RPC_URL`] = ports.map((port) => `127.0.0.1:${port}`).join(',');
      processes[name] = ports.map((RPC_PORT, index) =>
        member(options, name, index, free.pop(), {
          ...settings[name],
          RPC_HOST: '127.0.0.1',
          RPC_PORT: `${RPC_PORT}`,
        }),
      );
    }
    await startAll(SERVICE_NAMES.flatMap((name) => processes[name]));
    onStep('Starting the gateway');
    const count = replicas.gateway ?? 1;
    free.push(...(await freePorts(2 * count)));
    const ports = free.splice(0, count).map((port, index) => (options.port ? options.port + index : port));
    processes.gateway = ports.map((PORT, index) =>
      member(options, 'gateway', index, free.pop(), {
        PUBLIC_URL: `http://localhost:${ports[0]}`,
        ...options.env,
        ...targets,
        ACCESS_TOKEN_JWKS: JSON.stringify(publicJwks(secrets.signingKeys)),
        PULSO_AFTER_SECRETS: JSON.stringify(secrets.pulsoAfter),
        REDIS_URL: engines.redisUrl,
        PORT: `${PORT}`,
      }),
    );
    await startAll(processes.gateway);
    return { urls: ports.map((port) => `http://127.0.0.1:${port}`), processes, databases, settings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
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
function member({ logLevel = 'warn', tracesTo, onLine }, role, index, operationsPort, env) {
  return new ClusterProcess({
    name: `${role}-${index + 1}`,
    script: join(root, role === 'gateway' ? 'gateway' : `services/${role}`, 'dist/main.js'),
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
    const { stdout } = await run(process.execPath, [join(root, script), ...args], {
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
