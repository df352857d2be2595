import { type AddressInfo, createServer, type Socket } from 'node:net';
import { assertKafkaReachable } from './assert-reachable.js';
import { pino } from 'pino';
import { ConfigError, loadConfig } from '../../process/load-config.js';
import { StartError } from '../../process/start-error.js';
import { onTestEnd } from '../../../testing/on-test-end.js';
import { createTopics } from './create-topics.js';
import { KafkaBus } from './kafka-bus.js';
import { kafkaConfigSchema } from './kafka-config.js';

const logger = pino({ level: 'silent' });
const load = (env: Record<string, string>) => loadConfig(kafkaConfigSchema, env);

describe('the settings of Kafka', () => {
  it('are read, with defaults for missing ones', () => {
    expect(load({ KAFKA_BROKERS: 'kafka-0:9092, kafka-1:9092' })).toEqual({
      KAFKA_BROKERS: ['kafka-0:9092', 'kafka-1:9092'],
      KAFKA_CLIENT_ID: 'pulso',
      KAFKA_PREFIX: '',
      KAFKA_SSL: false,
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_REPLICATION_FACTOR: 1,
    });
    expect(load({ KAFKA_BROKERS: 'k:1', KAFKA_SSL: 'true', KAFKA_REPLICATION_FACTOR: '3' })).toMatchObject({
      KAFKA_SSL: true,
      KAFKA_REPLICATION_FACTOR: 3,
    });
  });

  it.each([
    [{}, 'KAFKA_BROKERS: is not set'],
    [{ KAFKA_BROKERS: 'kafka' }, 'KAFKA_BROKERS: must be a comma-separated list of host:port'],
    [
      { KAFKA_BROKERS: 'ada:s3cret@kafka:9092' },
      'KAFKA_BROKERS: must be a comma-separated list of host:port',
    ],
    [{ KAFKA_BROKERS: 'k:1', KAFKA_SSL: 'maybe' }, 'KAFKA_SSL: must be true or false'],
    [{ KAFKA_BROKERS: 'k:1', KAFKA_PREFIX: 'a b' }, 'KAFKA_PREFIX: must be letters'],
    [
      { KAFKA_BROKERS: 'k:1', KAFKA_REPLICATION_FACTOR: '0' },
      'KAFKA_REPLICATION_FACTOR: must be a whole number',
    ],
    [{ KAFKA_BROKERS: 'k:1', KAFKA_SASL_MECHANISM: 'x' }, 'KAFKA_SASL_MECHANISM: must be plain'],
  ])('refuse %j', (env, message) => {
    expect(() => load(env as Record<string, string>)).toThrow(ConfigError);
    expect(() => load(env as Record<string, string>)).toThrow(message);
    expect(() => load(env as Record<string, string>)).not.toThrow('s3cret');
  });

  it('need a user name and a password together', () => {
    const one = (env: Record<string, string>) => () =>
      new KafkaBus({ config: load({ KAFKA_BROKERS: 'k:1', ...env }), logger });
    expect(one({ KAFKA_SASL_USERNAME: 'pulso' })).toThrow('KAFKA_SASL_PASSWORD: is not set');
    expect(one({ KAFKA_SASL_PASSWORD: 's3cret' })).toThrow('KAFKA_SASL_USERNAME: is not set');
    expect(one({ KAFKA_SASL_PASSWORD: 's3cret' })).not.toThrow('s3cret');
  });

  it('are named when no broker answers', async () => {
    const config = load({ KAFKA_BROKERS: '127.0.0.1:1' });
    const bus = new KafkaBus({ config, logger });
    onTestEnd(() => bus.stop());
    const starting = bus.start();
    await expect(starting).rejects.toThrow(StartError);
    await expect(starting).rejects.toThrow(/^KAFKA_BROKERS: 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/);
    await expect(createTopics({ config, logger, table: [] })).rejects.toThrow(
      'KAFKA_BROKERS: 127.0.0.1:1 cannot be used',
    );
  });

  it('are named soon, with other possible causes, when the server is not Kafka', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined))).listen(0);
    onTestEnd(() => {
      silent.close();
      for (const socket of sockets) socket.destroy();
    });
    const { port } = silent.address() as AddressInfo;
    const config = load({ KAFKA_BROKERS: `127.0.0.1:${port}` });
    // A server that accepts and never answers: only this limit can end the attempt.
    const asking = assertKafkaReachable(config, logger, { answerMs: 100 });
    await expect(asking).rejects.toThrow(
      /^KAFKA_BROKERS: .*no answer within 0\.1 s.*KAFKA_SSL or KAFKA_SASL/,
    );
  });
});
