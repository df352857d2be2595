import { Injectable } from '@nestjs/common';
import { counter, gauge } from '@pulso/platform/telemetry/metrics';
import { type Counter, Registry } from 'prom-client';
import { Inbox } from '../inbox/inbox.js';

type Taken = 'new' | 'known' | 'refused';

/** How events of the provider come in, and which of them wait. */
@Injectable()
export class ProviderEventMetrics {
  private readonly taken: Counter<'what'>;
  private readonly failures: Counter;

  constructor(registry: Registry, inbox: Inbox) {
    this.taken = counter(registry, {
      name: 'pulso_billing_provider_events_total',
      help: 'Events that came from the payment provider: new, known already, or refused for signature, age or mode',
      labelNames: ['what'],
    });
    this.failures = counter(registry, {
      name: 'pulso_billing_provider_event_failures_total',
      help: 'Attempts to handle an event of the payment provider that failed',
    });
    gauge(registry, {
      name: 'pulso_billing_provider_events_waiting',
      help: 'Events of the payment provider that are stored and not handled: those that have failed, and others',
      labelNames: ['what'],
      async collect() {
        const { waiting, failing } = await inbox.waiting();
        this.set({ what: 'failing' }, failing);
        this.set({ what: 'other' }, waiting - failing);
      },
    });
  }

  took(what: Taken): void {
    this.taken.inc({ what });
  }

  failed(events: number): void {
    this.failures.inc(events);
  }
}
