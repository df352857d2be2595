import { until } from '@pulso/platform/testing/until';
import { type Cluster, NAMESPACE } from '../cluster.js';
import { type Pod, isReady } from '../pods.js';
import type { Scenario } from '../scenario.js';

interface Secret {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  type: string;
  data: Record<string, string>;
}

interface Fault {
  what: string;
  /** What the Secret holds instead; `undefined` where it is missing. */
  change(values: Record<string, string>): Record<string, string> | undefined;
  /** A line of the pod's log; undefined where no container starts that could say anything. */
  line?: RegExp;
  /** What `kubectl describe pod` says. */
  reason: RegExp;
}

const SERVICE = 'billing';
const SELECTOR = `app.kubernetes.io/name=${SERVICE},app.kubernetes.io/component=process`;
const URL_SETTING = 'BILLING_DATABASE_URL';
const SAID_MS = 60_000;

/** The process ends at once, and is started again and again. */
const ENDS = /Back-off restarting failed container/;
/** Its first container waits for the schema of the database, and says what it waits for. */
const WAITS = /Reason:\s+PodInitializing/;
const NAMED = new RegExp(`\\b${URL_SETTING}\\b`);

const FAULTS: readonly Fault[] = [
  {
    what: 'a missing Secret',
    change: () => undefined,
    reason: /secret "billing" not found/,
  },
  {
    what: 'a missing setting',
    change: ({ [URL_SETTING]: _, ...others }) => others,
    line: NAMED,
    reason: ENDS,
  },
  {
    what: 'a wrong URL',
    change: (values) => ({ ...values, [URL_SETTING]: 'the database of billing' }),
    line: NAMED,
    reason: ENDS,
  },
  {
    what: 'a host that is not there',
    change: (values) => ({
      ...values,
      [URL_SETTING]: values[URL_SETTING]!.replace('@postgres:', '@nowhere:'),
    }),
    line: NAMED,
    reason: WAITS,
  },
  {
    what: 'a database without the role',
    change: (values) => ({
      ...values,
      [URL_SETTING]: values[URL_SETTING]!.replace('//billing:', '//nobody:'),
    }),
    line: NAMED,
    reason: WAITS,
  },
];

/** The other pods go on: no pod of before goes until its successor is ready. */
export const wrongSettings: Scenario = {
  name: 'wrong-settings',
  shows:
    'a wrong setting is named in one line of the log and by kubectl describe, and its repair makes the pod ready',
  async run(cluster) {
    const right = await cluster.get<Secret>('secret', SERVICE);
    const plain = Object.fromEntries(
      Object.entries(right.data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
    const after = cluster.afterwards();
    const write = async (values: Record<string, string> | undefined) => {
      await after.kubectl(['delete', 'secret', SERVICE, '--ignore-not-found']);
      const { name } = right.metadata;
      const metadata = { name, namespace: NAMESPACE, labels: { 'app.kubernetes.io/part-of': 'pulso' } };
      if (values) await after.apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: values });
    };
    const figures: Record<string, string> = {};
    const unsaid: string[] = [];
    try {
      for (const { what, change, line, reason } of FAULTS) {
        await write(change(plain));
        const before = new Set((await cluster.pods(SELECTOR)).map(({ metadata }) => metadata.uid));
        await cluster.kubectl(['rollout', 'restart', `deployment/${SERVICE}`]);
        const pod = await newPod(cluster, before);
        try {
          const logged = line
            ? await saidBy(() => linesOf(cluster, pod), line, `${what} in the log`)
            : 'none, as nothing starts';
          const described = await saidBy(() => describe(cluster, pod), reason, `${what} in kubectl describe`);
          figures[what] = `log: ${logged.trim()}; describe: ${described.trim()}`;
        } catch (error) {
          cluster.signal.throwIfAborted();
          unsaid.push((error as Error).message);
        }
      }
    } finally {
      await write(plain);
      await after.rollout(SERVICE);
    }
    if (unsaid.length > 0) throw new Error(unsaid.join('; '));
    const ready = (await cluster.untilReady(SELECTOR)).filter(isReady).length;
    return { ...figures, 'pods of billing that are ready after the repair': ready };
  },
};

async function newPod(cluster: Cluster, before: ReadonlySet<string>): Promise<Pod> {
  const find = async () => (await cluster.pods(SELECTOR)).find(({ metadata }) => !before.has(metadata.uid));
  return until(find, { what: `a new pod of ${SERVICE}`, limit: SAID_MS });
}

const describe = (cluster: Cluster, { metadata }: Pod) => cluster.kubectl(['describe', 'pod', metadata.name]);

/** The lines of all containers of a pod that have started, now and before their last restart. */
async function linesOf(cluster: Cluster, { metadata }: Pod): Promise<string> {
  const logs = ['--previous=false', '--previous'].flatMap((flag) =>
    ['schema', 'process'].map(
      async (container) =>
        (await cluster.tryKubectl(['logs', metadata.name, '--container', container, flag])).stdout,
    ),
  );
  return (await Promise.all(logs)).join('\n');
}

/** The first line that matches, when there is one. */
async function saidBy(ask: () => Promise<string>, wanted: RegExp, what: string): Promise<string> {
  let last = '';
  const find = async () => {
    last = await ask();
    return last.split('\n').find((line) => wanted.test(line));
  };
  return until(find, { what: () => `${what}: ${wanted}; last was ${last.slice(-800)}`, limit: SAID_MS });
}
