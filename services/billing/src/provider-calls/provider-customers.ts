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

  find(userId: string, currency: Currency): Promise<string | undefined> {
    return this.customers.find(userId, currency);
  }

  /** Throws like `ForeignCall.run`. */
  async ensure(userId: string, currency: Currency): Promise<string> {
    const known = await this.customers.find(userId, currency);
    if (known) return known;
    const id = { caller: `user:${userId}`, key: `customer:${currency}` };
    return (await this.calls.createCustomer.run(id, { userId, currency })).customerId;
  }
}
