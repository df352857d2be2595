import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pulso/platform/testing/until';
import type { Cluster } from '../cluster.js';
import { underLoad } from '../load/under-load.js';
import { pause, untilEnded, untilPods } from '../processes.js';
import type { Scenario } from '../scenario.js';

interface Autoscaler {
  spec: { minReplicas: number; behavior: object; metrics: { resource: object }[] };
  status: { currentMetrics?: { resource?: { current: { averageValue?: string } } }[] };
}

const NAME = 'gateway';
/** Guests who open the page, one after the other each. */
const GUESTS = 12;
/** Instead of five minutes, which the proof has not. */
const CALM_S = 30;
/** Of a core: where the load, the engines and the gateway share two, it never gets the 600m of its manifest. */
const BUSY = '250m';
/** Requests a second of the mix: the crowd is the load. */
const PER_SECOND = 10;
/** The autoscaler looks every 15 s at figures that are as old. */
const DECIDED_MS = 240_000;
/** Before a retry where there was no answer, as a client has it. */
const PAUSE_MS = 1_000;

/** Guests crowd the gateway until it has a second pod, and leave. */
export const autoscaling: Scenario = {
  name: 'autoscaling',
  shows: 'load brings a second gateway, its end takes it away, and no request fails',
  run: (cluster) =>
    underLoad(
      cluster,
      async (url) => {
        const { spec } = await cluster.get<Autoscaler>('hpa', NAME);
        await patch(cluster, {
          behavior: { scaleDown: { stabilizationWindowSeconds: CALM_S } },
          metrics: spec.metrics.map((metric) => ({
            ...metric,
            resource: { ...metric.resource, target: { type: 'AverageValue', averageValue: BUSY } },
          })),
        });
        try {
          const startedAt = performance.now();
          const seconds = () => Math.round((performance.now() - startedAt) / 1000);
          const crowd = new Crowd(url);
          try {
            await untilReplicas(cluster, spec.minReplicas + 1, crowd);
            await untilPods(cluster, NAME, spec.minReplicas + 1);
          } finally {
            await crowd.leave();
          }
          const up = seconds();
          await untilReplicas(cluster, spec.minReplicas, crowd);
          await untilEnded(cluster);
          return {
            'of a core that make it busy, in this proof': BUSY,
            'seconds until a second gateway': up,
            'seconds from the end of the crowd until it is gone': seconds() - up,
            'pages that were opened': crowd.opened,
          };
        } finally {
          await patch(cluster.afterwards(), { behavior: spec.behavior, metrics: spec.metrics });
        }
      },
      { perSecond: PER_SECOND },
    ),
};

const patch = (cluster: Cluster, spec: object) =>
  cluster.kubectl(['patch', 'hpa', NAME, '--type=merge', '--patch', JSON.stringify({ spec })]);

/** Resolves when the autoscaler wants so many. Rejects at once when a page failed. */
async function untilReplicas(cluster: Cluster, count: number, crowd: Crowd): Promise<void> {
  let seen = '';
  const areWanted = async () => {
    crowd.throwIfFailed();
    const { spec } = await cluster.get<{ spec: { replicas: number } }>('deployment', NAME);
    const { status } = await cluster.get<Autoscaler>('hpa', NAME);
    const used = status.currentMetrics?.[0]?.resource?.current.averageValue ?? 'an unknown part';
    seen = `${spec.replicas}, which use ${used} of a core each`;
    return spec.replicas === count || pause(cluster);
  };
  await until(areWanted, { what: () => `${count} gateways; there were ${seen}`, limit: DECIDED_MS });
}

/** Guests who open the page again and again. Each repeats once what fails. */
class Crowd {
  opened = 0;
  private isOver = false;
  private failure: Error | undefined;
  private readonly guests: Promise<unknown>;

  constructor(private readonly url: string) {
    this.guests = Promise.all(Array.from({ length: GUESTS }, () => this.browse()));
  }

  throwIfFailed(): void {
    if (this.failure) throw this.failure;
  }

  /** Resolves when all guests have left. Rejects when a page failed. */
  async leave(): Promise<void> {
    this.isOver = true;
    await this.guests;
    this.throwIfFailed();
  }

  private async browse(): Promise<void> {
    while (!this.isOver && !this.failure) {
      try {
        await this.open().catch(() => delay(PAUSE_MS).then(() => this.open()));
        this.opened += 1;
      } catch (error) {
        this.failure = error as Error;
      }
    }
  }

  private async open(): Promise<void> {
    const answer = await fetch(this.url, { signal: AbortSignal.timeout(15_000) });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`A page was answered with ${answer.status}`);
  }
}
