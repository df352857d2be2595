import { Injectable } from '@nestjs/common';
import {
  type GetPaymentStatusRequest,
  PayoutState,
  type PaymentStatus,
} from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { requireProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';
import { PaymentStatusRepository } from '../store/payment-status.repository.js';

/**
 * `GET /api/stripe/status`: the caller's missing payments (SUBS-33), and how far their account for payouts is (SUBS-19), as billing knows
 * them. Throws `payments-not-configured`.
 */
@Injectable()
export class GetPaymentStatus {
  constructor(
    private readonly provider: Provider,
    private readonly statuses: PaymentStatusRepository,
  ) {}

  async execute(_request: GetPaymentStatusRequest): Promise<PaymentStatus> {
    const { userId } = requireCaller();
    requireProvider(this.provider);
    const { dueBy, isReady } = await this.statuses.of(userId);
    const account = isReady ? PayoutState.PAYOUT_STATE_READY : PayoutState.PAYOUT_STATE_STARTED;
    const payouts = isReady === null ? PayoutState.PAYOUT_STATE_NONE : account;
    return { paymentDueBy: dueBy?.getTime(), payouts };
  }
}
