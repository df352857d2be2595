import { PayoutState, type PaymentStatus } from '@pulso/contracts/billing/v1/billing';
import { apiTimeOrNull } from '../http/bodies/api-time.js';
import type { StripeStatus } from './stripe.dto.js';

export const toStripeStatus = ({ paymentDueBy, payouts }: PaymentStatus): StripeStatus => ({
  paymentDueBy: apiTimeOrNull(paymentDueBy),
  payouts: toPayouts(payouts),
});

function toPayouts(state: PayoutState): StripeStatus['payouts'] {
  switch (state) {
    case PayoutState.PAYOUT_STATE_NONE:
      return 'none';
    case PayoutState.PAYOUT_STATE_STARTED:
      return 'started';
    case PayoutState.PAYOUT_STATE_READY:
      return 'ready';
    case PayoutState.PAYOUT_STATE_UNSPECIFIED:
    case PayoutState.UNRECOGNIZED:
      throw new Error(`Unknown state ${state} of payouts`);
  }
}
