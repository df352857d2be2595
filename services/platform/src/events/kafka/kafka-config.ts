import { z } from 'zod';

const brokers = z.string().transform((text, context) => {
  const list = text.split(',').map((broker) => broker.trim());
  if (list.every((broker) => /^[^\s:/@]+:\d{1,5}$/.test(broker))) return list;
  context.addIssue('must be a comma-separated list of host:port');
  return z.NEVER;
});

const whole = (message: string) => z.coerce.number(message).int(message).min(1, message);

/** Kafka's settings; the keys are the environment's names. */
export const kafkaConfigSchema = z.object({
  KAFKA_BROKERS: brokers,
  KAFKA_CLIENT_ID: z.string().default('pulso'),
  /** Stands before the names of topics and groups, for several installations that share a cluster. */
  KAFKA_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,50}$/, 'must be letters, digits, dots, hyphens and underscores')
    .default(''),
  KAFKA_SSL: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  /** With it KAFKA_SASL_PASSWORD is needed too. */
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .default('scram-sha-512'),
  /** Copies of each event; 3 wherever a broker may be lost. */
  KAFKA_REPLICATION_FACTOR: whole('must be a whole number from 1').default(1),
});

export type KafkaConfig = z.output<typeof kafkaConfigSchema>;
