import type { Topic } from '@pulso/contracts/topics/topic';
import { DEAD_LETTERS_KEPT_MS, EVENTS_KEPT_MS } from '../event-bus.js';

/** The settings of a topic on the brokers. */
export interface TopicPlan {
  name: string;
  /** The maximum number of a group's active consumers. May grow, never shrink; a change moves keys to other partitions. */
  partitions: number;
  retentionMs: number;
  /** The least size of the largest record; that of the brokers unless given. */
  recordBytes?: number;
}

/** Events are kept for 7 days and not compacted; `republish` publishes older states again. */
export const topicPlan = ({ name, load }: Pick<Topic<unknown>, 'name' | 'load'>): TopicPlan => {
  return { name, partitions: load.partitions, retentionMs: EVENTS_KEPT_MS };
};

/** The topic of the dead letters of `topic`. */
export const deadLetterTopic = (topic: string): string => `${topic}.dlq`;

/** The largest record that brokers take unless they are set otherwise. */
const BROKER_RECORD_BYTES = 1024 * 1024 + 12;
/** More than the error's text (`ERROR_BYTES`) and the other headers of a dead letter. */
const LETTER_BYTES = 16 * 1024;

/**
 * Kept longer than events: an operator must notice, fix and replay them. One partition is enough for few dead letters. The
 * largest event fits with its failure.
 */
export const deadLetterPlan = ({ name }: TopicPlan): TopicPlan => {
  return {
    name: deadLetterTopic(name),
    partitions: 1,
    retentionMs: DEAD_LETTERS_KEPT_MS,
    recordBytes: BROKER_RECORD_BYTES + LETTER_BYTES,
  };
};
