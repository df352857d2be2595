import type { Logger } from 'pino';
import { orAfter } from '../../time/or-after.js';
import { createKafka, reachingKafka } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';

const ANSWER_MS = 10_000;

/** Rejects with a StartError if no broker can be used. Called before the slow parts of the start. */
export async function assertKafkaReachable(
  config: KafkaConfig,
  logger: Logger,
  { answerMs = ANSWER_MS } = {},
): Promise<void> {
  const admin = createKafka(config, logger).admin();
  await reachingKafka(config, async () => {
    // A connection is not enough, nor is kafkajs's `connect`: a server that is not Kafka may accept it and never answer.
    const asked = admin.connect().then(() => admin.listTopics());
    if (!(await orAfter(answerMs, asked))) throw new Error(`no answer within ${answerMs / 1000} s`);
  });
  await admin.disconnect();
}
