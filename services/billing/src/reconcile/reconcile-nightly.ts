import { Injectable } from '@nestjs/common';
import { Logger } from '@pulso/platform/logging/logger';
import { counter } from '@pulso/platform/telemetry/metrics';
import { Clock } from '@pulso/platform/time/clock';
import { type Counter, Registry } from 'prom-client';
import { Provider } from '../provider/provider.js';
import { Reconcile } from './reconcile.js';
import { ReconciliationRepository } from '../store/reconciliation.repository.js';

/** Compares all live subscriptions with the provider once a night, by one process, and repairs what differs (SUBS-18). */
@Injectable()
export class ReconcileNightly {
  private readonly drifts: Counter;

  constructor(
    private readonly provider: Provider,
    private readonly nights: ReconciliationRepository,
    private readonly reconcile: Reconcile,
    private readonly logger: Logger,
    private readonly clock: Clock,
    registry: Registry,
  ) {
    this.drifts = counter(registry, {
      name: 'pulso_billing_drifts_total',
      help: 'Subscriptions that the comparison of a night found to differ from the payment provider',
    });
  }

  /** Asked often; does nothing while this night's comparison is made or under way. A failed one is made again. */
  async execute(stopping: AbortSignal): Promise<void> {
    if (!this.provider.isOn) return;
    const night = await this.nights.claim(this.clock.now());
    if (night === undefined) return;
    const { provided, customers, drifts } = await this.reconcile.execute(
      { apply: true, onProgress: () => this.nights.renew(night, this.clock.now()) },
      stopping,
    );
    for (const drift of drifts)
      this.logger.warn({ ...drift }, 'a subscription differed from the payment provider');
    this.drifts.inc(drifts.length);
    await this.nights.end(night, { customers, differences: drifts.length }, this.clock.now());
    this.logger.info(
      { night, provided, customers, drifts: drifts.length },
      'subscriptions compared with the provider',
    );
  }
}
