import { z } from 'zod';
import { secret } from '../../process/secret.js';

const brokers = z.string().transform((text, context) => {
  const list = text.split(',').map((broker) => broker.trim());
  if (list.every((broker) => /^[^\s:/@]+:\d{1,5}$/.test(broker))) return list;
  context.addIssue('must be a comma-separated list of host:port');
  return z.NEVER;
});

const whole = (message: string) => z.coerce.number(message).int(message).min(1, message);

/** Kafka's settings; the keys are the names of environment variables. */
export const kafkaConfigSchema = z.object({
  KAFKA_BROKERS: brokers,
  KAFKA_CLIENT_ID: z.string().default('pulso'),
  /** A prefix of the names of topics and groups, for installations that share a cluster. */
  KAFKA_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,50}$/, 'must be letters, digits, dots, hyphens and underscores')
    .default(''),
  KAFKA_SSL: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  /** Requires KAFKA_SASL_PASSWORD. */
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: secret(z.string().optional()),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .default('scram-sha-512'),
  /** The number of copies of each event; 3 if the loss of a broker must be survived. */
  KAFKA_REPLICATION_FACTOR: whole('must be a whole number from 1').default(1),
});

export type KafkaConfig = z.output<typeof kafkaConfigSchema>;
