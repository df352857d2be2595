import fc from 'fast-check';
import type { ProviderDispute, ProviderPayment } from '../provider/payment-provider.js';
import { payBackMinor } from './pay-back.js';

const payment: ProviderPayment = {
  ...{ id: 'in_1', paymentId: 'pay_1', paidMinor: 40_000, refundedMinor: 0 },
  ...{ periodStart: 1_000, periodEnd: 4_000 },
};
const paid = (latestPayment: ProviderPayment | null, ...disputes: ProviderDispute[]) => ({
  ...{ latestPayment, disputes },
});
const NONE_ORDERED = { endedAt: 2_000, orderedMinor: 0 };

// Rule: SUBS-12
describe('what is paid back', () => {
  it('is the unused part, rounded down, all, or nothing', () => {
    expect(payBackMinor('unused', paid(payment), NONE_ORDERED)).toBe(26_666);
    expect(payBackMinor('all', paid(payment), NONE_ORDERED)).toBe(40_000);
    expect(payBackMinor('none', paid(payment), NONE_ORDERED)).toBe(0);
  });

  it('is all of a period that has not begun, and nothing of one that is over', () => {
    const at = (endedAt: number) => payBackMinor('unused', paid(payment), { endedAt, orderedMinor: 0 });
    expect([at(500), at(1_000), at(4_000), at(9_000)]).toEqual([40_000, 40_000, 0, 0]);
  });

  it('is nothing where nothing was paid', () => {
    expect(payBackMinor('all', paid(null), NONE_ORDERED)).toBe(0);
    expect(payBackMinor('all', paid({ ...payment, paymentId: null, paidMinor: 0 }), NONE_ORDERED)).toBe(0);
  });

  // Rule: SUBS-34
  it('is nothing of a disputed payment, however the dispute stands, and all of another one', () => {
    const dispute = (paymentId: string, state: ProviderDispute['state']) => ({
      ...{ id: 'dp_1', paymentId, amountMinor: 40_000, state },
    });
    for (const state of ['open', 'lost', 'won'] as const) {
      expect(payBackMinor('all', paid(payment, dispute('pay_1', state)), NONE_ORDERED)).toBe(0);
      expect(payBackMinor('unused', paid(payment, dispute('pay_1', state)), NONE_ORDERED)).toBe(0);
      expect(payBackMinor('all', paid(payment, dispute('pay_0', state)), NONE_ORDERED)).toBe(40_000);
    }
  });

  it('is never more than what is left, whatever the provider has told of earlier refunds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('unused' as const, 'all' as const),
        fc.nat(100_000),
        fc.nat(100_000),
        fc.nat(100_000),
        fc.integer({ min: -5_000, max: 9_000 }),
        (refund, paidMinor, refundedMinor, orderedMinor, endedAt) => {
          const back = payBackMinor(
            refund,
            paid({ ...payment, paidMinor, refundedMinor: Math.min(refundedMinor, paidMinor) }),
            { endedAt, orderedMinor },
          );
          expect(back).toBeGreaterThanOrEqual(0);
          expect(back).toBeLessThanOrEqual(Math.max(0, paidMinor - Math.min(refundedMinor, paidMinor)));
          expect(back + Math.min(orderedMinor, paidMinor)).toBeLessThanOrEqual(paidMinor);
        },
      ),
    );
  });
});
