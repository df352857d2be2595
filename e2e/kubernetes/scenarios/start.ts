import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster.js';
import { gatewayUrl } from '../gateway-url.js';
import { expectIntact } from '../load/expect-intact.js';
import { startLoad } from '../load/load.js';
import { INBOX_PORT, type Pod, nameOf } from '../pods.js';
import { PROCESSES, processNames, processSelector } from '../processes.js';
import type { Scenario } from '../scenario.js';

interface PodMetrics {
  items: { metadata: { name: string }; containers: { name: string; usage: { memory: string } }[] }[];
}

interface Row {
  cpuLimit: string;
  startToReady: number;
  rest: number;
  mix: number;
}

const METRICS = `/apis/metrics.k8s.io/v1beta1/namespaces/pulso/pods`;
/** Memory is measured four times a minute; after a start it falls for a while. */
const REST_MS = 60_000;
const MIX_MS = 60_000;
const SAMPLE_MS = 10_000;

/** What each process needs: the table of docs/scaling.md. */
export const start: Scenario = {
  name: 'start',
  shows:
    'from start to ready of each process at its limit of processor, its memory at rest and under the mix',
  async run(cluster) {
    const rows = new Map<string, Row>();
    for (const name of await processNames(cluster)) {
      await cluster.rollout(name);
      const pod = (await cluster.untilReady(processSelector(name))).at(-1)!;
      const cpuLimit = pod.spec.containers[0]!.resources?.limits?.['cpu'] ?? 'none';
      rows.set(name, { cpuLimit, startToReady: startToReady(pod), rest: 0, mix: 0 });
    }
    await delay(REST_MS, undefined, { signal: cluster.signal });
    for (const [name, memory] of await memoryOf(cluster)) rows.get(name)!.rest = memory;
    const load = await startLoad(await gatewayUrl(cluster), cluster);
    const sampleUntil = performance.now() + MIX_MS;
    let report;
    try {
      while (performance.now() < sampleUntil) {
        await delay(SAMPLE_MS, undefined, { signal: cluster.signal });
        for (const [name, memory] of await memoryOf(cluster)) {
          const row = rows.get(name)!;
          row.mix = Math.max(row.mix, memory);
        }
      }
    } finally {
      report = await load.stop();
    }
    console.log('  | process | limit of processor | start to ready, s | at rest, MiB | under the mix, MiB |');
    console.log('  | --- | --- | --- | --- | --- |');
    for (const [name, { cpuLimit, startToReady: seconds, rest, mix }] of rows)
      console.log(`  | ${name} | ${cpuLimit} | ${seconds} | ${rest} | ${mix} |`);
    const inbox = await cluster.forward('mail', INBOX_PORT);
    const intact = await expectIntact(report, inbox.url);
    await inbox.close();
    const { perSecond, failed, unsent, p50, p99 } = report;
    return {
      ...Object.fromEntries(
        [...rows].map(([name, row]) => [name, `${row.startToReady} s, ${row.rest} MiB, ${row.mix} MiB`]),
      ),
      'requests a second of the mix': perSecond,
      'failed, and not sent': `${failed.length}, ${unsent}`,
      'p50 and p99 of the mix in ms': `${p50}, ${p99}`,
      'acknowledged and there': Object.entries(intact)
        .map(([what, count]) => `${count} ${what}`)
        .join(', '),
    };
  },
};

/** Seconds from the start of the process until its pod is ready; the API keeps whole seconds. */
function startToReady({ status }: Pod): number {
  const ready = status.conditions!.find(({ type }) => type === 'Ready')!;
  const started = status.containerStatuses![0]!.state.running!.startedAt;
  return (Date.parse(ready.lastTransitionTime) - Date.parse(started)) / 1000;
}

/** MiB by process; of several replicas the largest. */
async function memoryOf(cluster: Cluster): Promise<Map<string, number>> {
  const pods = new Map((await cluster.pods(PROCESSES)).map((pod) => [pod.metadata.name, nameOf(pod)]));
  const { items } = JSON.parse(await cluster.kubectl(['get', '--raw', METRICS])) as PodMetrics;
  const memory = new Map<string, number>();
  for (const { metadata, containers } of items) {
    const name = pods.get(metadata.name);
    const usage = containers.find((container) => container.name === 'process')?.usage.memory;
    if (name && usage) memory.set(name, Math.max(memory.get(name) ?? 0, mebibytes(usage)));
  }
  return memory;
}

const UNITS: Record<string, number> = { Ki: 1 / 1024, Mi: 1, Gi: 1024, '': 1 / 1024 ** 2 };

function mebibytes(quantity: string): number {
  const [, number, unit] = /^(\d+)(\D*)$/.exec(quantity) ?? [];
  const factor = UNITS[unit ?? ''];
  if (!number || factor === undefined) throw new Error(`A quantity of memory that is not known: ${quantity}`);
  return Math.round(Number(number) * factor);
}
