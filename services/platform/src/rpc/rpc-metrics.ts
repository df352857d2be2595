import type { Registry } from 'prom-client';
import { counter, histogram } from '../telemetry/metrics.js';

export interface RpcMetrics {
  /** `code` is `ok` or the error's kind. */
  handled(rpc: string, code: string, milliseconds: number): void;
  staleRead(rpc: string): void;
  /** Registers a read that may be stale with a count of 0: a counter that first appears at 1 shows no increase. */
  awaitingRead(rpc: string): void;
}

export const noRpcMetrics: RpcMetrics = {
  handled: () => undefined,
  staleRead: () => undefined,
  awaitingRead: () => undefined,
};

export function createRpcMetrics(registry: Registry): RpcMetrics {
  const seconds = histogram(registry, {
    name: 'pulso_rpc_server_duration_seconds',
    help: 'Time to handle an rpc, by method and outcome',
    labelNames: ['rpc', 'code'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  const stale = counter(registry, {
    name: 'pulso_rpc_stale_reads_total',
    help: "Reads answered before the caller's own writes had arrived",
    labelNames: ['rpc'],
  });
  return {
    handled: (rpc, code, milliseconds) => seconds.observe({ rpc, code }, milliseconds / 1000),
    staleRead: (rpc) => stale.inc({ rpc }),
    awaitingRead: (rpc) => stale.inc({ rpc }, 0),
  };
}
