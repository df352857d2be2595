import { Injectable } from '@nestjs/common';
import type {
  OpenPayoutAccountRequest,
  PayoutAccount as PayoutAccountMessage,
} from '@pulso/contracts/billing/v1/billing';
import { PayoutAccounts } from './payout-accounts.js';
import { RequireCoachCaller } from './require-coach-caller.js';

/** `POST /api/stripe/connect/create-account`: the caller's account for payouts, made when it is missing (SUBS-19). */
@Injectable()
export class OpenPayoutAccount {
  constructor(
    private readonly coach: RequireCoachCaller,
    private readonly accounts: PayoutAccounts,
  ) {}

  async execute(_request: OpenPayoutAccountRequest): Promise<PayoutAccountMessage> {
    const coachId = await this.coach.execute();
    return { accountId: (await this.accounts.ensure(coachId)).id };
  }
}
