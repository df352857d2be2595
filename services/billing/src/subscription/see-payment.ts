import { Injectable } from '@nestjs/common';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Logger } from '@pulso/platform/logging/logger';
import { CustomerRepository } from '../store/customer.repository.js';
import { Provider } from '../provider/provider.js';
import { READ_LIMIT_MS } from '../provider/ask-provider.js';
import type { Pair } from '../store/subscription.repository.js';
import { SyncCustomer } from '../sync/sync-customer.js';

/**
 * Reads at the provider what a pair has paid, before billing judges it: who comes back from checkout is there before the
 * provider's event (SUBS-14).
 */
@Injectable()
export class SeePayment {
  constructor(
    private readonly provider: Provider,
    private readonly customers: CustomerRepository,
    private readonly sync: SyncCustomer,
    private readonly logger: Logger,
  ) {}

  /** Where the provider cannot be read, nothing has been paid yet as far as billing knows: its event comes later. */
  async execute({ userId, coachId }: Pair): Promise<void> {
    if (!this.provider.isOn || !isId(coachId)) return;
    const customerId = await this.customers.ofPair({ userId, coachId });
    if (!customerId) return;
    try {
      await this.sync.execute(customerId, AbortSignal.timeout(READ_LIMIT_MS));
    } catch (error) {
      this.logger.warn({ err: error, customerId }, 'the provider cannot be read for who subscribes');
    }
  }
}
