import { Injectable } from '@nestjs/common';
import type { Currency } from '../provider/payment-provider.js';
import { ProviderCalls } from './provider-calls.js';
import { CustomerRepository } from '../store/customer.repository.js';

/** The provider's customers, made when they are first needed. */
@Injectable()
export class ProviderCustomers {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly calls: ProviderCalls,
  ) {}

  find(userId: string, currency: Currency, accountId: string | null): Promise<string | undefined> {
    return this.customers.find(userId, currency, accountId);
  }

  /** On a coach's account, or on the platform's own (null). Throws like `ForeignCall.run`. */
  async ensure(userId: string, currency: Currency, accountId: string | null): Promise<string> {
    const known = await this.customers.find(userId, currency, accountId);
    if (known) return known;
    const caller = `user:${userId}`;
    const made =
      accountId === null
        ? await this.calls.createCustomer.run({ caller, key: `customer:${currency}` }, { userId, currency })
        : await this.calls.createCustomer.run(
            { caller, key: `customer:${currency}:${accountId}` },
            { userId, currency, accountId },
          );
    return made.customerId;
  }
}
