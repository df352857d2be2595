import { entityOf } from '@pulso/contracts/topics/topic';
import {
  type Command,
  type CommandInput,
  type CommandLine,
  type Invocation,
  runCommands,
  UsageError,
} from '../command-line/run-commands.js';
import { loadConfig } from '../process/load-config.js';
import { visible } from '../command-line/visible.js';
import {
  DEAD_LETTERS_LISTED,
  type DeadLetter,
  type EventBus,
  type OperableBus,
  type Replay,
} from '../events/event-bus.js';
import { OutboxRelay } from '../events/outbox/outbox.js';
import { assertKafkaReachable } from '../events/kafka/assert-reachable.js';
import { KafkaBus } from '../events/kafka/kafka-bus.js';
import { kafkaConfigSchema } from '../events/kafka/kafka-config.js';
import { createLogger, type Logger } from '../logging/logger.js';
import { InProcessNetwork } from '../rpc/in-process.js';
import { StartError } from '../process/start-error.js';
import { awaitSchema } from './await-schema.js';
import type { ServiceDefinition } from './define-service.js';
import { readServiceSettings, readStoreTarget, type ServiceSettings } from './service-settings.js';
import { type BootedService, bootService } from './start-service.js';
import { OpenStore } from './store.js';

const CLOCKS_DIFFER_S = 60;

/** A command that only one service has. */
export interface ServiceCommand extends CommandLine {
  /**
   * Reads the input, throws UsageError before any connection is made, and returns the function that works with the open
   * store and returns the lines to print. Who publishes its writes: see `publishes`.
   */
  prepare(input: CommandInput): (service: Pick<BootedService, 'get'>) => Promise<readonly string[]>;
}

/** The bus that commands work on. It is never started: the service's own process delivers its events. */
export interface CommandBus {
  bus: OperableBus;
  /** Called when the consumers are subscribed. Rejects with a StartError if the bus lacks what they need. */
  assertReady(): Promise<void>;
  /** Rejects with a StartError if a republication would have to wait for projections that do not run. */
  assertRepublishable?(): void;
  close(): Promise<void>;
}

export interface ServiceCommandsOptions extends Invocation {
  /** Opens the bus of the deployment profile from the environment; Kafka unless given. `publishes` are topics. */
  openBus?: (env: NodeJS.ProcessEnv, options: CommandBusOptions) => Promise<CommandBus>;
  /**
   * Whether the service's own commands publish what they have written, on that bus. Unless they do, the running service does, when
   * it next looks for what nobody told it of.
   */
  publishes?: boolean;
}

export interface CommandBusOptions {
  logger: Logger;
  publishes: readonly string[];
}

/**
 * The operator's command line of a service: `migrate`, `republish`, `dead-letters`, `replay`, `discard`, and the service's
 * own commands. `migrate` reads only the settings of the store and of what the service prepares; the others read all settings of the service.
 */
export function runServiceCommands(
  definition: ServiceDefinition,
  { openBus = openKafka, publishes = false, ...invocation }: ServiceCommandsOptions = {},
): Promise<void> {
  const { name, owns, store } = definition;
  const logger = createLogger({ service: name, level: 'error' });
  const entities = owns.map(entityOf);

  /** Boots the service with its store and the bus, without listening. Reads all settings first. */
  const withBus = async <T>(
    env: NodeJS.ProcessEnv,
    work: (service: BootedService, opened: CommandBus) => Promise<T>,
  ): Promise<T> => {
    const settings = readServiceSettings(definition, env);
    const opened = await openBus(env, { logger, publishes: owns.map((topic) => topic.name) });
    // The command has succeeded or failed by then: brokers that are gone must not change what the operator is told.
    const closeBus = () =>
      opened.close().catch((err: unknown) => logger.error({ err }, 'the bus did not stop'));
    const service = await boot(definition, settings, opened.bus, logger).catch(async (error: unknown) => {
      await closeBus();
      throw error;
    });
    try {
      await opened.assertReady();
      return await work(service, opened);
    } finally {
      await closeBus();
      await service.close();
    }
  };

  const commands: Record<string, Command> = {
    migrate: {
      options: { finish: { type: 'boolean' }, wait: { type: 'boolean' } },
      summary:
        'brings the store to this version’s schema; --finish also removes what only the version before reads; safe to repeat; --wait changes nothing, but ends when another one has done so',
      async run({ options: { finish, wait } }, env) {
        if (finish && wait) throw new UsageError('Give --finish or --wait, not both.');
        const target = readStoreTarget(definition, env);
        if (wait) {
          const onWait = (reason: string) => process.stderr.write(`${name}: waits: ${visible(reason)}\n`);
          await awaitSchema(store, target, { onWait });
          return [`${name}: the store is up to date.`];
        }
        const prepare = definition.prepares?.read(env);
        await store.migrate(target, { finish: finish === true });
        const made = (await prepare?.()) ?? [];
        return ['the store is up to date.', ...made].map((line) => `${name}: ${line}`);
      },
    },
    republish: {
      operands: [`<${entities.join('|')}>...`],
      summary: 'publishes every current state again, so that other services rebuild their projections',
      async run({ operands }, env) {
        if (!operands.every((entity) => entities.includes(entity)))
          throw new UsageError(`Name what to republish: ${entities.join(', ')}.`);
        return withBus(env, async (service, opened) => {
          opened.assertRepublishable?.();
          await assertSameClock(service);
          const lines: string[] = [];
          for (const entity of new Set(operands)) {
            lines.push(`${name}: ${await service.republish(entity)} states of ${entity} published again.`);
          }
          return lines;
        });
      },
    },
    'dead-letters': {
      summary: `lists the events that this service failed to handle too often, the first ${DEAD_LETTERS_LISTED}`,
      run: (_input, env) =>
        withBus(env, async (_service, { bus }) => {
          const letters = await bus.deadLetters();
          if (letters.length === 0) return ['No dead letters.'];
          const lines = letters.flatMap(linesOf);
          return letters.length < DEAD_LETTERS_LISTED
            ? lines
            : [...lines, 'There may be more: these are the first.'];
        }),
    },
    replay: {
      operands: ['[<event>]'],
      summary:
        'delivers all dead letters, or one, again to the handler that failed and to no other; names those that fail again, with the new error',
      run: ({ operands: [event] }, env) =>
        withBus(env, async (_service, { bus }) => {
          const replay = await bus.replay(undefined, event);
          if (replay.failed > 0) process.exitCode = 1;
          const [outcome, ...lines] = replayLines(replay);
          return [`${name}: ${outcome}`, ...lines];
        }),
    },
    discard: {
      operands: ['<event>'],
      summary: 'removes a dead letter that can never succeed',
      run: ({ operands: [event = ''] }, env) =>
        withBus(env, async (_service, { bus }) => {
          const letters = await bus.deadLetters(undefined, event);
          if (letters.length === 0) throw new UsageError(`No dead letter of this service: ${event}`);
          for (const { group } of letters) await bus.discard(group, event);
          return [`${name}: ${event} discarded.`];
        }),
    },
    ...Object.fromEntries(
      Object.entries(definition.commands).map(([command, { prepare, ...line }]) => [
        command,
        {
          ...line,
          run: (input, env) => {
            const work = prepare(input);
            if (!publishes) return runOwn(definition, work, env, logger);
            return withBus(env, async (service) => {
              const lines = await work(service);
              await service.get(OutboxRelay).finish();
              return lines;
            });
          },
        } satisfies Command,
      ]),
    ),
  };
  return runCommands(name, commands, invocation);
}

/**
 * Rejects with a StartError if this machine's clock and the store's differ: one of them is wrong. A republication has the
 * store's time, and projections whose own store has another time would ignore it without the operator's notice.
 */
async function assertSameClock(service: Pick<BootedService, 'get'>): Promise<void> {
  const ahead = Math.round((Date.now() - (await service.get(OpenStore).time())) / 1_000);
  if (Math.abs(ahead) <= CLOCKS_DIFFER_S) return;
  throw new StartError(
    `this machine's clock is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the store's, so one of them is wrong. ` +
      'Projections do not take part in a republication of another time: correct the clock, then repeat it.',
  );
}

async function openKafka(env: NodeJS.ProcessEnv, options: CommandBusOptions): Promise<CommandBus> {
  const config = loadConfig(kafkaConfigSchema, env);
  await assertKafkaReachable(config, options.logger);
  const bus = new KafkaBus({ config, ...options });
  return { bus, assertReady: () => bus.assertTopics(), close: () => bus.stop() };
}

async function runOwn(
  definition: ServiceDefinition,
  work: ReturnType<ServiceCommand['prepare']>,
  env: NodeJS.ProcessEnv,
  logger: Logger,
): Promise<readonly string[]> {
  const service = await boot(definition, readServiceSettings(definition, env), NO_BUS, logger);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

async function boot(
  definition: ServiceDefinition,
  settings: ServiceSettings,
  bus: EventBus,
  logger: Logger,
): Promise<BootedService> {
  await definition.store.assertReady(settings.store);
  const transport = { kind: 'in-process', network: new InProcessNetwork() } as const;
  const few = { ...settings, store: { ...settings.store, pool: 2 } };
  return bootService(definition, { settings: few, transport, bus, logger });
}

/** The bus of commands that do not publish: the running service's relay publishes their writes, some seconds later. */
const NO_BUS: EventBus = {
  publish: () => Promise.reject(new Error('This command has no bus')),
  subscribe: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
  partitions: async () => 1,
  pending: async () => 0,
  delivered: async () => true,
};

/** What a replay has done, with the letters that failed again: group, event and the new error. */
export function replayLines({ tried, failed, named }: Replay): string[] {
  const more = failed - named.length;
  return [
    `${tried} replayed, ${failed} failed again.`,
    ...named.flatMap(linesOf),
    ...(more > 0 ? [`and ${more} more; see dead-letters.`] : []),
  ];
}

function linesOf({ group, eventId, failedAt, attempts, error }: DeadLetter): string[] {
  return [
    `${eventId}  ${failedAt.toISOString()}  ${attempts} attempts  ${group}`,
    `  ${error.split('\n')[0]}`,
  ];
}
