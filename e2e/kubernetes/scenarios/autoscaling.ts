import { until } from '@pulso/platform/testing/until';
import autocannon from 'autocannon';
import type { Cluster } from '../cluster.js';
import { underLoad } from '../load/under-load.js';
import { pause, untilEnded, untilPods } from '../processes.js';
import type { Scenario } from '../scenario.js';

interface Autoscaler {
  spec: { minReplicas: number; behavior: object; metrics: { resource: object }[] };
  status: { currentMetrics?: { resource?: { current: { averageValue?: string } } }[] };
}

const NAME = 'gateway';
const GUESTS = 20;
/** Instead of five minutes, which the proof has not. */
const CALM_S = 30;
/** Of a core: where the load, the engines and the gateway share two, it never gets the 600m of its manifest. */
const BUSY = '250m';
/** Requests a second of the mix: the crowd is the load. */
const PER_SECOND = 10;
/** The autoscaler looks every 15 s at figures that are as old. */
const DECIDED_MS = 240_000;

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
          let opened;
          try {
            await untilReplicas(cluster, spec.minReplicas + 1);
            await untilPods(cluster, NAME, spec.minReplicas + 1);
          } finally {
            opened = await crowd.leave();
          }
          const up = seconds();
          await untilReplicas(cluster, spec.minReplicas);
          await untilEnded(cluster);
          return {
            'of a core that make it busy, in this proof': BUSY,
            'seconds until a second gateway': up,
            'seconds from the end of the crowd until it is gone': seconds() - up,
            'pages that the crowd opened': opened,
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

/** Resolves when the autoscaler wants so many. */
async function untilReplicas(cluster: Cluster, count: number): Promise<void> {
  let seen = '';
  const areWanted = async () => {
    const { spec } = await cluster.get<{ spec: { replicas: number } }>('deployment', NAME);
    const { status } = await cluster.get<Autoscaler>('hpa', NAME);
    const used = status.currentMetrics?.[0]?.resource?.current.averageValue ?? 'an unknown part';
    seen = `${spec.replicas}, which use ${used} of a core each`;
    return spec.replicas === count || pause(cluster);
  };
  await until(areWanted, { what: () => `${count} gateways; there were ${seen}`, limit: DECIDED_MS });
}

/** Guests who open the page again and again, each on a connection of their own. */
class Crowd {
  private readonly instance: autocannon.Instance;
  private readonly result: Promise<autocannon.Result>;

  constructor(url: string) {
    let instance!: autocannon.Instance;
    const options = { url, connections: GUESTS, duration: DECIDED_MS / 1000 };
    this.result = new Promise((resolve, reject) => {
      instance = autocannon(options, (error: Error | null, result) =>
        error ? reject(error) : resolve(result),
      );
    });
    this.instance = instance;
  }

  /** Resolves when all guests have left. Rejects when a page failed. @returns how many were opened */
  async leave(): Promise<number> {
    this.instance.stop();
    const { errors, timeouts, non2xx, '2xx': opened } = await this.result;
    if (errors + timeouts + non2xx > 0)
      throw new Error(
        `Of ${opened} pages ${errors} had no answer, ${timeouts} came too late, ${non2xx} were refused`,
      );
    return opened;
  }
}
