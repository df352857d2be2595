import type { FollowState } from '@pulso/contracts/social/v1/events';
import { followTopic } from '@pulso/contracts/topics/social';
import { erasureTopic, userTopic } from '@pulso/contracts/topics/identity';
import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { ManualClock } from '../../testing/manual-clock.js';
import { ErasureGate } from './erasure-gate.js';
import { type MarkedUser, MarkedUsers } from './marked-users.js';

/** Marks as another process would write them. */
class StoredMarks extends MarkedUsers {
  readonly stored: MarkedUser[] = [];
  readonly asked: (Date | 'every')[] = [];
  isAway = false;

  async *every() {
    this.ask('every');
    yield* this.stored;
  }

  async since(markedAt: Date) {
    this.ask(markedAt);
    return this.stored.filter((one) => one.markedAt >= markedAt);
  }

  private ask(what: Date | 'every') {
    if (this.isAway) throw new Error('the store is away');
    this.asked.push(what);
  }
}

const follow = (followerId: string, targetId: string, active = true): FollowState => ({
  ...{ followerId, targetId, active },
  version: 1,
});
const user = (id: string, status: UserStatus) => UserState.fromPartial({ id, status, version: 1 });

// Rule: ACCT-34
describe('events of erased users', () => {
  let marks: StoredMarks;
  let clock: ManualClock;
  let gate: ErasureGate;
  beforeEach(() => {
    marks = new StoredMarks();
    clock = new ManualClock();
    gate = new ErasureGate(marks, clock);
  });
  const mark = (userId: string) => marks.stored.push({ userId, markedAt: new Date(clock.now()) });

  it('are refused, whichever of its users is erased, and nobody else’s', async () => {
    mark('ada');
    const refused = [follow('ada', 'ben'), follow('ben', 'ada'), follow('ben', 'eve')].map((state) =>
      gate.refuses(followTopic, state),
    );
    expect(await Promise.all(refused)).toEqual([true, true, false]);
  });

  it('are let through where they say that something has ended, or that an account is erased', async () => {
    mark('ada');
    expect([
      await gate.refuses(followTopic, follow('ada', 'ben', false)),
      await gate.refuses(userTopic, user('ada', UserStatus.USER_STATUS_DELETED)),
      await gate.refuses(erasureTopic, { userId: 'ada', version: 1, requestedAt: 1 }),
      await gate.refuses(userTopic, user('ada', UserStatus.USER_STATUS_ACTIVE)),
    ]).toEqual([false, false, false, true]);
  });

  it('are refused at once where this process has marked the user, and within 5 s where another one has', async () => {
    expect(await gate.refuses(followTopic, follow('ada', 'ben'))).toBe(false);
    marks.noteMarked('ada');
    mark('ben');
    expect(await gate.refuses(followTopic, follow('ada', 'eve'))).toBe(true);
    expect(await gate.refuses(followTopic, follow('ben', 'eve'))).toBe(false);
    clock.advance(5_000);
    expect(await gate.refuses(followTopic, follow('ben', 'eve'))).toBe(true);
    expect(await gate.refuses(followTopic, follow('eve', 'cleo'))).toBe(false);
    expect(marks.asked).toHaveLength(2);
  });

  it('are refused where the mark was committed later than others that have a newer time', async () => {
    mark('ada');
    await gate.refuses(followTopic, follow('x', 'y'));
    marks.stored.push({ userId: 'ben', markedAt: new Date(clock.now() - 59_000) });
    clock.advance(5_000);
    expect(await gate.refuses(followTopic, follow('ben', 'eve'))).toBe(true);
  });

  it('come again while the store cannot be asked', async () => {
    marks.isAway = true;
    await expect(gate.refuses(followTopic, follow('ada', 'ben'))).rejects.toThrow('the store is away');
    // What says that something has ended need not wait for it.
    expect(await gate.refuses(followTopic, follow('ada', 'ben', false))).toBe(false);
    marks.isAway = false;
    mark('ada');
    expect(await gate.refuses(followTopic, follow('ada', 'ben'))).toBe(true);
  });
});
