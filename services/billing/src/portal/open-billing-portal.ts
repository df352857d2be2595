import { Injectable } from '@nestjs/common';
import type { OpenBillingPortalRequest, ProviderPage } from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { CustomerRepository } from '../store/customer.repository.js';
import { KnownUsers } from '../projections/known-users.js';
import { AskProvider } from '../provider/ask-provider.js';
import { noBillingAccount, requireProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';

/** `POST /api/stripe/billing/portal`: the provider's page of the caller as a payer (SUBS-20). Throws `no-billing-account`. */
@Injectable()
export class OpenBillingPortal {
  constructor(
    private readonly users: KnownUsers,
    private readonly provider: Provider,
    private readonly customers: CustomerRepository,
    private readonly ask: AskProvider,
  ) {}

  async execute({ returnUrl }: OpenBillingPortalRequest): Promise<ProviderPage> {
    const { userId } = requireCaller();
    await this.users.requireCaller(userId);
    requireProvider(this.provider);
    const customerId = await this.customers.payer(userId);
    if (!customerId) throw noBillingAccount();
    const to = { customerId, returnUrl };
    return { url: await this.ask.execute((provider, signal) => provider.openPortal(to, signal)) };
  }
}
