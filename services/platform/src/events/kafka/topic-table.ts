import type { Topic } from '@pulso/contracts/topics/topic';

const DAY_MS = 24 * 60 * 60_000;

/** How a topic lies on the brokers. */
export interface TopicPlan {
  name: string;
  /** Consumers of one group that can work at once. May grow, never shrink: keys change their partition with it. */
  partitions: number;
  retentionMs: number;
}

/** Events are kept 7 days and not compacted; older states come again by `republish`. */
export const topicPlan = ({ name, load }: Pick<Topic<unknown>, 'name' | 'load'>): TopicPlan => {
  return { name, partitions: load.partitions, retentionMs: 7 * DAY_MS };
};

/** The topic that takes what consumers of `topic` have given up on. */
export const deadLetterTopic = (topic: string): string => `${topic}.dlq`;

/** Longer than events themselves: somebody has to look, mend and replay. One partition, since there are few. */
export const deadLetterPlan = ({ name }: TopicPlan): TopicPlan => {
  return { name: deadLetterTopic(name), partitions: 1, retentionMs: 30 * DAY_MS };
};
