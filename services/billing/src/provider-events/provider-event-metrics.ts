import { Injectable } from '@nestjs/common';
import { counter, gauge } from '@pulso/platform/telemetry/metrics';
import { Clock } from '@pulso/platform/time/clock';
import { type Counter, Registry } from 'prom-client';
import { Inbox } from '../inbox/inbox.js';

type Taken = 'new' | 'known' | 'refused';

/** How events of the provider come in, and which of them wait. */
@Injectable()
export class ProviderEventMetrics {
  private readonly taken: Counter<'what'>;
  private readonly failures: Counter;

  constructor(registry: Registry, inbox: Inbox, clock: Clock) {
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
    gauge(registry, {
      name: 'pulso_billing_provider_events_oldest_seconds',
      help: 'Age of the oldest event of the payment provider that is stored and not handled; 0 where none waits',
      async collect() {
        const { oldestAt } = await inbox.waiting();
        this.set(oldestAt ? Math.max(0, clock.now() - oldestAt.getTime()) / 1000 : 0);
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
