import { until } from '../../testing/until.js';
import { createLogger } from '../logging/logger.js';
import type { DueErasure } from './erased-users.js';
import { HeldErasure } from './held-erasure.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const CLAIMED: DueErasure = { userId: 'ada', asked: 1, looks: 0, claimedUntil: 1 };

/** Answers renewals as planned, then by the last of these. */
function held(...answers: (() => DueErasure | undefined)[]) {
  const asked: DueErasure[] = [];
  const renew = (erasure: DueErasure) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(erasure);
    return Promise.resolve().then(answer);
  };
  return { asked, erasure: new HeldErasure({ renew }, CLAIMED, logger, 1) };
}

// Rule: ACCT-34
describe('a held erasure', () => {
  it('is renewed, each time with the claim before, until its end', async () => {
    let end = 1;
    const { asked, erasure } = held(() => ({ ...CLAIMED, claimedUntil: (end += 1) }));
    await until(() => asked.length >= 3, { what: 'three renewals' });
    const last = await erasure.end();
    expect(asked.slice(0, 3).map(({ claimedUntil }) => claimedUntil)).toEqual([1, 2, 3]);
    expect(last.claimedUntil).toBe(asked.length + 1);
    expect(erasure.lost.aborted).toBe(false);
  });

  it('tells when another process has taken it', async () => {
    const { erasure } = held(() => undefined);
    await until(() => erasure.lost.aborted, { what: 'the loss' });
    expect(await erasure.end()).toEqual(CLAIMED);
  });

  it('stays while the store is away for a moment', async () => {
    const away = () => {
      throw new Error('the store is away');
    };
    const { asked, erasure } = held(away, () => ({ ...CLAIMED, claimedUntil: 5 }));
    await until(() => asked.length >= 2, { what: 'a second attempt' });
    expect(await erasure.end()).toMatchObject({ claimedUntil: 5 });
    expect(erasure.lost.aborted).toBe(false);
  });
});
