import { Injectable } from '@nestjs/common';
import { gauge } from '@pulso/platform/telemetry/metrics';
import { Registry } from 'prom-client';
import { ACKNOWLEDGING, ErasureRepository } from '../store/erasure.repository.js';

/** Shows which services have not acknowledged erasures, and for how long (ACCT-34). */
@Injectable()
export class ErasureMetrics {
  constructor(registry: Registry, erasures: ErasureRepository) {
    gauge(registry, {
      name: 'pulso_erasures_oldest_seconds',
      help: 'How long ago the oldest erasure was requested that this service has not acknowledged; 0 without one',
      labelNames: ['acknowledging'],
      async collect() {
        const waiting = new Map((await erasures.waiting()).map((row) => [row.service, row.oldestMs]));
        for (const acknowledging of ACKNOWLEDGING)
          this.set({ acknowledging }, (waiting.get(acknowledging) ?? 0) / 1_000);
      },
    });
  }
}
