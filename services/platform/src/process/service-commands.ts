import { z } from 'zod';
import { loadConfig } from '../config/load-config.js';
import type { EventBus } from '../events/event-bus.js';
import type { KafkaDeadLetter } from '../events/kafka/dead-letters.js';
import { assertKafkaReachable } from '../events/kafka/assert-reachable.js';
import { KafkaBus } from '../events/kafka/kafka-bus.js';
import { kafkaConfigSchema } from '../events/kafka/kafka-config.js';
import { topicsOf } from '../events/kafka/topic-table.js';
import { createLogger, type Logger } from '../logging/logger.js';
import { type Command, runCommands, UsageError } from './run-commands.js';

/** A service without its servers: its store, what it owns, and what it makes of others' events. */
export interface Workbench {
  /** Publishes every present state of a noun; how many there were. */
  republish(noun: string, bus: EventBus): Promise<number>;
  /** Subscribes the same consumers as the running service does. */
  subscribe(bus: EventBus): void;
  close(): Promise<void>;
}

export interface ServiceCommandsOptions<C> {
  /** The service's name; its consumer groups have names of their own. */
  name: string;
  /** What the commands need to know of the service's store. */
  settings: z.ZodType<C>;
  /** What the service owns and publishes. */
  nouns: readonly string[];
  /** Rejects with StartError when the store is out of reach. */
  migrate(config: C): Promise<void>;
  /** Rejects with StartError when the store is out of reach. */
  open(config: C, logger: Logger): Promise<Workbench>;
}

/** The operator's command line of a service: `migrate`, `republish`, `dead-letters` and `replay`. */
export function runServiceCommands<C>(options: ServiceCommandsOptions<C>): Promise<void> {
  const { name, settings, nouns, migrate } = options;
  const logger = createLogger({ service: name, level: 'error' });
  /** Runs over the service's store and Kafka, whose settings are read before either is asked. */
  const onBench = async <T>(
    env: NodeJS.ProcessEnv,
    work: (bench: Workbench, bus: KafkaBus) => Promise<T>,
  ): Promise<T> => {
    const config = { ...loadConfig(settings, env), kafka: loadConfig(kafkaConfigSchema, env) };
    await assertKafkaReachable(config.kafka, logger);
    const bench = await options.open(config, logger);
    const bus = new KafkaBus({ config: config.kafka, logger, publishes: topicsOf(name) });
    try {
      bench.subscribe(bus);
      await bus.assertTopics();
      return await work(bench, bus);
    } finally {
      await bus.stop();
      await bench.close();
    }
  };

  const commands: Record<string, Command> = {
    migrate: {
      summary: 'brings the store to this version’s schema; safe to repeat',
      async run(operands, env) {
        none(operands);
        await migrate(loadConfig(settings, env));
        return [`${name}: the store is up to date.`];
      },
    },
    republish: {
      operands: `<${nouns.join('|')}>`,
      summary: 'publishes every present state again, for others to rebuild their projections',
      async run([noun, ...rest], env) {
        none(rest);
        if (noun === undefined || !nouns.includes(noun))
          throw new UsageError(`A noun is needed: ${nouns.join(', ')}.`);
        const count = await onBench(env, (bench, bus) => bench.republish(noun, bus));
        return [`${name}: ${count} states of ${noun} published again.`];
      },
    },
    'dead-letters': {
      summary: 'lists the events that this service has given up on',
      async run(operands, env) {
        none(operands);
        return onBench(env, async (_bench, bus) => {
          const letters = await bus.deadLetters();
          return letters.length === 0 ? ['No dead letters.'] : letters.flatMap(linesOf);
        });
      },
    },
    replay: {
      operands: '[<event>]',
      summary: 'gives dead letters, or one, once more to the handler that failed, and to no other',
      async run([event, ...rest], env) {
        none(rest);
        return onBench(env, async (_bench, bus) => {
          const { count, left } = await replayAll(bus, event);
          if (left.length > 0) process.exitCode = 1;
          return [`${name}: ${count} replayed, ${left.length} failed again.`, ...left.flatMap(linesOf)];
        });
      },
    },
  };
  return runCommands(name, commands);
}

/** Of every group of the bus: a service may have several. Answers how many there were, and those that are dead still. */
export async function replayAll(
  bus: Pick<KafkaBus, 'deadLetters' | 'replay'>,
  event: string | undefined,
): Promise<{ count: number; left: KafkaDeadLetter[] }> {
  const dead = async () =>
    (await bus.deadLetters()).filter(({ eventId }) => event === undefined || eventId === event);
  let count = 0;
  for (const group of new Set((await dead()).map((letter) => letter.group))) {
    count += await bus.replay(group, event);
  }
  return { count, left: count === 0 ? [] : await dead() };
}

function none(operands: readonly string[]): void {
  if (operands.length > 0) throw new UsageError(`Not understood: ${operands.join(' ')}`);
}

function linesOf({ eventId, failedAt, attempts, error }: KafkaDeadLetter): string[] {
  return [`${eventId}  ${failedAt.toISOString()}  ${attempts} attempts`, `  ${error.split('\n')[0]}`];
}
