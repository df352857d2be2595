import type { Topic } from '../topic.js';
import * as topics from '../topics.js';
import { deadLetterPlan, TOPIC_TABLE } from './topic-table.js';

describe('the table of topics', () => {
  it('has every topic once, kept for 7 days, and a place for its dead letters that is kept longer', () => {
    const declared = (Object.values(topics) as Topic<never>[]).map(({ name }) => name);
    expect(TOPIC_TABLE.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
    for (const plan of TOPIC_TABLE) {
      expect(plan.retentionMs).toBe(7 * 86_400_000);
      expect(deadLetterPlan(plan)).toMatchObject({ name: `${plan.name}.dlq`, partitions: 1 });
      expect(deadLetterPlan(plan).retentionMs).toBeGreaterThan(plan.retentionMs);
    }
  });
});
