import { DEAD_LETTERS_KEPT_MS } from '../event-bus.js';
import { deadLetterPlan } from './topic-table.js';

describe('the topics of dead letters', () => {
  it('retain them for as long as they are listed', () => {
    const plan = { name: 'posts', partitions: 6, retentionMs: 1 };
    expect(deadLetterPlan(plan).retentionMs).toBe(DEAD_LETTERS_KEPT_MS);
  });
});
