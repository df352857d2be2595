import { Injectable } from '@nestjs/common';
import { counter } from '@pulso/platform/telemetry/metrics';
import { type Counter, Registry } from 'prom-client';
import type { EndReason } from './end-reason.js';

/** How many subscriptions have begun and ended in this process. */
@Injectable()
export class SubscriptionMetrics {
  private readonly begun: Counter;
  private readonly ended: Counter<'reason'>;

  constructor(registry: Registry) {
    this.begun = counter(registry, {
      name: 'pulso_billing_subscriptions_begun_total',
      help: 'Subscriptions that have begun to give access',
    });
    this.ended = counter(registry, {
      name: 'pulso_billing_subscriptions_ended_total',
      help: 'Subscriptions that give no access any more, by reason',
      labelNames: ['reason'],
    });
  }

  began(): void {
    this.begun.inc();
  }

  end(reason: EndReason): void {
    this.ended.inc({ reason });
  }
}
