import { Kafka, type LogEntry, logLevel, type RetryOptions, type SASLOptions } from 'kafkajs';
import type { Logger } from 'pino';
import { ConfigError } from '../../process/load-config.js';
import { connectOrExplain } from '../../process/engine-address.js';
import { StartError } from '../../process/start-error.js';
import { calmIdleConnections } from './idle-connections.js';
import type { KafkaConfig } from './kafka-config.js';

/**
 * Short, because the callers (the relay, the group's supervisor) retry themselves. Consumers and producers must get it
 * too: otherwise they use kafkajs's defaults.
 */
export const CLIENT_RETRY: RetryOptions = { initialRetryTime: 50, maxRetryTime: 1_000, retries: 5 };

/** Creates a client that is not connected yet. Throws ConfigError if settings contradict each other. */
export function createKafka(config: KafkaConfig, logger: Logger): Kafka {
  calmIdleConnections();
  return new Kafka({
    brokers: config.KAFKA_BROKERS,
    clientId: config.KAFKA_CLIENT_ID,
    ssl: config.KAFKA_SSL,
    sasl: saslOf(config),
    connectionTimeout: 3_000,
    requestTimeout: 30_000,
    retry: CLIENT_RETRY,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => logTo(logger, entry),
  });
}

const NOBODY_THERE = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|Connection timeout/;

/** Runs the first request to a broker. If it fails, rejects with a StartError that names the setting. */
export async function reachingKafka<T>(config: KafkaConfig, connect: () => Promise<T>): Promise<T> {
  return connectOrExplain('KAFKA_BROKERS', config.KAFKA_BROKERS.join(','), async () => {
    try {
      return await connect();
    } catch (error) {
      if (isRefusedLogin(error)) {
        const reason = 'KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD: Kafka refuses them';
        throw new StartError(reason, { cause: error });
      }
      if (error instanceof StartError || !(error instanceof Error) || NOBODY_THERE.test(error.message))
        throw error;
      const reason = `${error.message}. Something answers there: KAFKA_SSL or KAFKA_SASL_… may be wrong, too`;
      throw new Error(reason, { cause: error });
    }
  });
}

function saslOf(config: KafkaConfig): SASLOptions | undefined {
  const { KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  if (username === undefined && password === undefined) return undefined;
  if (username === undefined) throw new ConfigError('KAFKA_SASL_USERNAME: is not set, but the password is');
  if (password === undefined) throw new ConfigError('KAFKA_SASL_PASSWORD: is not set, but the user name is');
  return { mechanism: config.KAFKA_SASL_MECHANISM, username, password };
}

function isRefusedLogin(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'KafkaJSSASLAuthenticationError' || isRefusedLogin(error.cause);
}

/** Logs at debug level: callers get errors as rejections and log those once themselves. */
function logTo(logger: Logger, { namespace, log }: LogEntry): void {
  const { message, timestamp: _, logger: __, ...details } = log;
  // The types say otherwise, but the client itself logs without a namespace.
  logger.debug(details, ['kafka', namespace, message].filter(Boolean).join(': '));
}
