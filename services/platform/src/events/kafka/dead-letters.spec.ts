import { DEAD_LETTERS_KEPT_MS } from '../event-bus.js';
import { ERROR_BYTES } from '../retry-policy.js';
import { deadLetterPlan } from './topic-table.js';

describe('the topics of dead letters', () => {
  it('retain them for as long as they are listed', () => {
    const plan = { name: 'posts', partitions: 6, retentionMs: 1 };
    expect(deadLetterPlan(plan).retentionMs).toBe(DEAD_LETTERS_KEPT_MS);
  });

  it('take the largest record of the brokers with the text of an error', () => {
    const largest = 1_048_588;
    expect(deadLetterPlan({ name: 'posts', partitions: 6, retentionMs: 1 }).recordBytes).toBeGreaterThan(
      largest + ERROR_BYTES + 4_096,
    );
  });
});
