import {
  blockTopic,
  commentTopic,
  followTopic,
  hiddenPostTopic,
  likeTopic,
  postTopic,
  reviewTopic,
  subscriptionTopic,
  userSuspensionTopic,
  userTopic,
} from '../topics.js';

const DAY_MS = 24 * 60 * 60_000;

/** How a topic lies on the brokers. */
export interface TopicPlan {
  name: string;
  /** Consumers of one group that can work at once. May grow, never shrink: keys change their partition with it. */
  partitions: number;
  retentionMs: number;
}

/** Published often: by every tap on a heart, by every sign-in of a thousand phones. */
const BUSY = 12;
const CALM = 6;

const plan = (topic: { name: string }, partitions: number): TopicPlan => {
  return { name: topic.name, partitions, retentionMs: 7 * DAY_MS };
};

/** Every topic there is (design.md: 7 days, no compaction; older states come again by `republish`). */
export const TOPIC_TABLE: readonly TopicPlan[] = [
  plan(userTopic, CALM),
  plan(postTopic, CALM),
  plan(commentTopic, CALM),
  plan(likeTopic, BUSY),
  plan(followTopic, CALM),
  plan(blockTopic, CALM),
  plan(reviewTopic, CALM),
  plan(hiddenPostTopic, CALM),
  plan(userSuspensionTopic, CALM),
  plan(subscriptionTopic, CALM),
];

/** The topics that a service owns and publishes. */
export const topicsOf = (service: string): string[] =>
  TOPIC_TABLE.map(({ name }) => name).filter((name) => name.startsWith(`pulso.${service}.`));

/** The topic that takes what consumers of `topic` have given up on. */
export const deadLetterTopic = (topic: string): string => `${topic}.dlq`;

/** Longer than events themselves: somebody has to look, mend and replay. One partition, since there are few. */
export const deadLetterPlan = ({ name }: TopicPlan): TopicPlan => {
  return { name: deadLetterTopic(name), partitions: 1, retentionMs: 30 * DAY_MS };
};
