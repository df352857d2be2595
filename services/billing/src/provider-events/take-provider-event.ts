import { Injectable } from '@nestjs/common';
import type {
  TakeProviderEventRequest,
  TakeProviderEventResponse,
} from '@pulso/contracts/billing/v1/billing';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { Writes } from '@pulso/platform/postgres/writes';
import { requireProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';
import { Inbox } from '../inbox/inbox.js';
import { ProviderEventMetrics } from './provider-event-metrics.js';

/**
 * `POST /api/stripe/webhook`: stores an event of the provider, to be handled after the answer (SUBS-17). Throws
 * `payments-not-configured` without a provider, and `malformed-request` for a signature, age or mode that is not right.
 */
@Injectable()
export class TakeProviderEvent {
  constructor(
    private readonly provider: Provider,
    private readonly inbox: Inbox,
    private readonly writes: Writes,
    private readonly metrics: ProviderEventMetrics,
  ) {}

  async execute({ body, signature }: TakeProviderEventRequest): Promise<TakeProviderEventResponse> {
    requireProvider(this.provider);
    const event = this.provider.readEvent(Buffer.from(body), signature);
    if (!event) {
      this.metrics.took('refused');
      throw new DomainError('malformed-request', 'The signature of this event is not valid.');
    }
    const isNew = await this.writes.run((transaction) => this.inbox.put(event, transaction));
    this.metrics.took(isNew ? 'new' : 'known');
    return {};
  }
}
