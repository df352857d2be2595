import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createKafka, reachingKafka } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';

const ANSWER_MS = 10_000;

/** Rejects with a StartError when no broker can be used: before anything that takes long is begun. */
export async function assertKafkaReachable(config: KafkaConfig, logger: Logger): Promise<void> {
  const admin = createKafka(config, logger).admin();
  await reachingKafka(config, () => {
    // A connection is not enough, nor is kafkajs's: what is no Kafka may take it, and never answer.
    const asked = admin.connect().then(() => admin.listTopics());
    return inTime(asked);
  });
  await admin.disconnect();
}

async function inTime(asked: Promise<unknown>): Promise<void> {
  const answered = new AbortController();
  const late = delay(ANSWER_MS, undefined, { signal: answered.signal }).then(() => {
    throw new Error(`no answer within ${ANSWER_MS / 1000} s`);
  });
  try {
    await Promise.race([asked, late]);
  } finally {
    late.catch(() => undefined);
    asked.catch(() => undefined);
    answered.abort();
  }
}
