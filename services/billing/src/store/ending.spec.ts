import { endFor, endingsOf } from './ending.js';
import { NO_TERMS, type Terms } from './subscription.js';

const reasonsOf = (status: string, isCoach: boolean) =>
  endingsOf({ status, isCoach }).map(({ reason }) => reason);

// Rule: SUBS-12
describe('the state of a user', () => {
  it('ends what others pay them for, unless they are an active coach', () => {
    expect(reasonsOf('active', true)).toEqual([]);
    expect(reasonsOf('active', false)).toEqual(['coach-stopped']);
    for (const isCoach of [true, false]) {
      expect(reasonsOf('suspended', isCoach)).toEqual(['coach-suspended']);
      expect(reasonsOf('deleted', isCoach)).toEqual(['coach-deleted', 'subscriber-deleted']);
    }
  });

  it('ends a free subscription at once and leaves a paid period only where the coach has stopped', () => {
    const free: Terms = { ...NO_TERMS, status: 'active', startDate: 1, everActive: true };
    const paid: Terms = { ...free, priceMinor: 100, priceCurrency: 'USD', currentPeriodEnd: 90 };
    const statusOf = (reason: 'coach-stopped' | 'coach-deleted', terms: Terms) =>
      endFor(reason, terms, 10).status;
    expect([statusOf('coach-stopped', free), statusOf('coach-stopped', paid)]).toEqual([
      'cancelled',
      'active',
    ]);
    expect([statusOf('coach-deleted', free), statusOf('coach-deleted', paid)]).toEqual(
      Array(2).fill('cancelled'),
    );
  });
});
