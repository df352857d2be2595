import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { migrateBus } from '@pulso/platform/events/in-process/bus-schema';
import { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import { createLogger } from '@pulso/platform/logging/logger';
import { BACKGROUND_LIMITS, poolOptions } from '@pulso/platform/postgres/pool-options';
import {
  type CommandBus,
  type CommandBusOptions,
  runServiceCommands,
} from '@pulso/platform/service/service-commands';
import { SERVICES } from '@pulso/registry/services';
import pg from 'pg';
import { serviceEnvironment } from '../compose-pulso.js';
import { databasesOn } from '../databases.js';
import { objectsOf } from './data-directory.js';
import { reachEngines } from './engines.js';
import { readSettings } from './settings.js';
import { environmentOfRunning } from './simulator.js';
import { StartError } from './start-error.js';

/**
 * `npm run operate -- <service> <command> …`: the operator's command line of a service, on the data directory of `npm
 * start`. It may be running or not: a command works on the engines of the running instance, else it starts them itself.
 */
export async function operate(words = process.argv.slice(2), processEnv = process.env): Promise<void> {
  const [service = '', ...command] = words;
  if (!isService(service)) {
    process.stderr.write(`Usage: npm run operate -- <${SERVICE_NAMES.join('|')}> <command>\n`);
    process.exitCode = 1;
    return;
  }
  let place: BusPlace;
  const openEnvironment = async () => {
    const { dataDirectory } = readSettings(processEnv);
    const { urls, data, running, closers } = await reachEngines({
      dataDirectory,
      logger: createLogger({ service: 'pulso', level: 'error' }),
      onLost: (reason) => process.stderr.write(`${service}: ${reason}\n`),
      onStep: () => undefined,
    });
    const databases = databasesOn({ postgresUrl: urls.postgres, mongodbUrl: urls.documents }, 'pulso');
    place = { url: databases.bus, running };
    return {
      env: {
        ...(running && environmentOfRunning(data)),
        ...processEnv,
        ...serviceEnvironment(service, {
          databases,
          secrets: data.secrets,
          objectsDirectory: objectsOf(data.path),
        }),
      },
      close: async () => {
        for (const close of closers.reverse()) await close();
      },
    };
  };
  await runServiceCommands(SERVICES[service], {
    words: command,
    openEnvironment,
    openBus: (_env, options) => openBus(place, options),
    publishes: true,
  });
}

const isService = (name: string): name is ServiceName => (SERVICE_NAMES as readonly string[]).includes(name);

interface BusPlace {
  /** Of the bus's database. */
  url: string;
  /** Whether an instance is running, which delivers events. */
  running: boolean;
}

/** The running instance finds published events by polling, within a second. */
async function openBus({ url, running }: BusPlace, { logger }: CommandBusOptions): Promise<CommandBus> {
  const pool = new pg.Pool({ connectionString: url, max: 2, ...poolOptions(BACKGROUND_LIMITS) });
  // The commands report a lost connection themselves.
  pool.on('error', (error) => logger.debug({ err: error }, 'lost an idle connection of the event bus'));
  const bus = new InProcessBus({ pool, logger });
  return {
    bus,
    assertReady: () => migrateBus(pool),
    assertRepublishable() {
      if (!running)
        throw new StartError('the projections that it rebuilds are stopped: run npm start, then repeat it.');
    },
    async close() {
      await bus.stop();
      await pool.end();
    },
  };
}
