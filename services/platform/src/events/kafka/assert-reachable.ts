import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
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
  await reachingKafka(config, () => {
    // A connection is not enough, nor is kafkajs's `connect`: a server that is not Kafka may accept it and never answer.
    const asked = admin.connect().then(() => admin.listTopics());
    return inTime(asked, answerMs);
  });
  await admin.disconnect();
}

async function inTime(asked: Promise<unknown>, answerMs: number): Promise<void> {
  const answered = new AbortController();
  const late = delay(answerMs, undefined, { signal: answered.signal }).then(() => {
    throw new Error(`no answer within ${answerMs / 1000} s`);
  });
  try {
    await Promise.race([asked, late]);
  } finally {
    late.catch(() => undefined);
    asked.catch(() => undefined);
    answered.abort();
  }
}
