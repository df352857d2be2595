import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { until } from '@pulso/platform/testing/until';
import { type Cluster, NAMESPACE } from '../cluster.js';
import { type Metadata, type Pod, isReady, nameOf } from '../pods.js';
import { type Endpoint, type NetworkPolicy, type Target, allows } from '../policies/network-policy.js';
import { type Probe, opening, probesOf, sleeper } from '../policies/probe.js';
import type { Scenario } from '../scenario.js';

/** A connection to try, and the pod or address where it ends, by which the policies judge it. */
interface Attempt {
  name: string;
  address: string;
  port: number;
  end: Target;
}

interface Service {
  metadata: Metadata;
  spec: {
    clusterIP?: string;
    selector?: Record<string, string>;
    ports: { port: number; targetPort: number | string }[];
  };
}

interface Job {
  metadata: Metadata;
  spec: { template: { metadata: { labels: Record<string, string> } } };
}

/** A namespace without policies that may read metrics: what is open from there is there to be reached. */
const OUTSIDE = 'pulso-proof';
const OUTSIDE_LABELS = { 'pulso/monitoring': 'yes', 'pod-security.kubernetes.io/enforce': 'restricted' };
const KUBELET_PORT = 10_250;
/** The program of a probe and its `kubectl exec` use the machine of the cluster. */
const AT_ONCE = 4;
const START_MS = 120_000;
/** Policies of a new pod are not enforced before its address is known everywhere. */
const SETTLE_MS = 5_000;

/** Tries every connection from every pod, and compares what opens with what the NetworkPolicies of the kind overlay say. */
export const policies: Scenario = {
  name: 'policies',
  shows: 'from each pod, what the policies name opens and nothing else',
  async run(cluster) {
    const rendered = await cluster.render('deploy/kubernetes/overlays/kind');
    const rules = rendered.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as NetworkPolicy[];
    const outside = await listenOutside(cluster);
    try {
      const pods = await cluster.running();
      const image = pods.find((pod) => nameOf(pod) === 'gateway')!.spec.containers[0]!.image;
      const own = { namespace: NAMESPACE, namespaceLabels: await namespaceLabels(cluster, NAMESPACE) };
      const targets = [
        ...pods.flatMap((pod) => portsOf(pod, own)),
        ...(await serviceTargets(cluster, pods, own)),
        ...(await beyond(cluster)),
        attempt('an address outside', outside.end),
      ];
      const inside = (await probesOf(cluster, pods, image)).map((probe) => ({ ...probe, ...own }));
      const jobs = (await cluster.get<{ items: Job[] }>('jobs')).items.map(({ metadata, spec }) => ({
        name: metadata.name,
        labels: spec.template.metadata.labels,
      }));
      const more = await sleepers(cluster, jobs, image);
      const probes = [...inside, ...more];
      const differences: string[] = [];
      const open = new Map<string, number>(targets.map(({ name }) => [name, 0]));
      let tried = 0;
      await inTurns(probes, async (probe) => {
        const opened = await opening(probe, targets);
        for (const [index, target] of targets.entries()) {
          // A pod reaches its own addresses without the network.
          if (target.end.address === probe.address) continue;
          tried += 1;
          const isOpen = opened[index]!;
          open.set(target.name, open.get(target.name)! + Number(isOpen));
          const shouldOpen = allows(rules, probe, target.end);
          if (isOpen !== shouldOpen)
            differences.push(`${probe.name} → ${target.name} ${isOpen ? 'opens' : 'does not open'}`);
        }
      });
      if (differences.length > 0) throw new Error(`Against the policies: ${differences.join('; ')}`);
      const unreached = [...open].filter(([, count]) => count === 0).map(([name]) => name);
      const opens = [...open.values()].reduce((sum, count) => sum + count, 0);
      return {
        'pods from which it was tried': probes.length,
        'connections tried': tried,
        'that open, as the policies say': opens,
        'that do not': tried - opens,
        'ports that opened for nobody': unreached.join(', ') || 'none',
      };
    } finally {
      outside.close();
      const after = cluster.afterwards();
      await after.kubectl([
        'delete',
        'pod',
        '--selector',
        'pulso/proof=policies',
        '--wait=false',
        '--ignore-not-found',
      ]);
      await after.kubectl(['delete', 'namespace', OUTSIDE, '--ignore-not-found'], { limit: START_MS });
    }
  },
};

/** An attempt to reach it at its own address. */
const attempt = (name: string, end: Target): Attempt => ({ name, address: end.address, port: end.port, end });

/** The ports of a pod's containers. */
function portsOf(pod: Pod, own: Pick<Endpoint, 'namespace' | 'namespaceLabels'>): Attempt[] {
  const { metadata, spec, status } = pod;
  return spec.containers.flatMap(({ ports = [] }) =>
    ports.map(({ containerPort, name }) => {
      const end = {
        ...own,
        labels: metadata.labels,
        address: status.podIP!,
        port: containerPort,
        portName: name,
      };
      return attempt(`${nameOf(pod)} ${containerPort}`, end);
    }),
  );
}

/** The Services with an address of their own, each of which leads to a pod's port. */
async function serviceTargets(
  cluster: Cluster,
  pods: readonly Pod[],
  own: Pick<Endpoint, 'namespace' | 'namespaceLabels'>,
): Promise<Attempt[]> {
  const { items } = await cluster.get<{ items: Service[] }>('services');
  return items.flatMap(({ metadata, spec }) => {
    if (!spec.clusterIP || spec.clusterIP === 'None') return [];
    const isBehind = ({ metadata: { labels } }: Pod) =>
      Object.entries(spec.selector ?? {}).every(([key, value]) => labels[key] === value);
    const behind = pods.filter(isBehind).flatMap((pod) => portsOf(pod, own));
    return spec.ports.map(({ port, targetPort }) => {
      const target = behind.find(({ end }) => end.port === targetPort || end.portName === targetPort);
      if (!target) throw new Error(`No pod has the port ${targetPort} of the Service ${metadata.name}`);
      return { name: `Service ${metadata.name}:${port}`, address: spec.clusterIP!, port, end: target.end };
    });
  });
}

/** The API server, the node, and the cluster's DNS, which all pods may ask. */
async function beyond(cluster: Cluster): Promise<Attempt[]> {
  const system = { namespace: 'kube-system', namespaceLabels: await namespaceLabels(cluster, 'kube-system') };
  const [api, nodes, dns] = await Promise.all([
    cluster.get<Service>('service', 'kubernetes', '--namespace', 'default'),
    cluster.get<{ items: { status: { addresses: { type: string; address: string }[] } }[] }>('nodes'),
    cluster.get<{ items: Pod[] }>('pods', '--namespace', 'kube-system', '--selector', 'k8s-app=kube-dns'),
  ]);
  const addresses = nodes.items
    .flatMap(({ status }) => status.addresses)
    .filter(({ type }) => type === 'InternalIP');
  return [
    attempt('the API server', { address: api.spec.clusterIP!, port: api.spec.ports[0]!.port }),
    ...addresses.map(({ address }) => attempt(`the node ${address}`, { address, port: KUBELET_PORT })),
    ...dns.items
      .filter(isReady)
      .map(({ metadata, status }) =>
        attempt('DNS', { ...system, labels: metadata.labels, address: status.podIP!, port: 53 }),
      ),
  ];
}

async function namespaceLabels(cluster: Cluster, name: string): Promise<Record<string, string>> {
  return (await cluster.get<{ metadata: Metadata }>('namespace', name)).metadata.labels;
}

/** Pods with the labels of the Jobs, which have ended, and one in a namespace without policies. */
async function sleepers(
  cluster: Cluster,
  jobs: readonly { name: string; labels: Record<string, string> }[],
  image: string,
): Promise<Probe[]> {
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: OUTSIDE, labels: OUTSIDE_LABELS },
  });
  const names = jobs.map(({ name }) => `proof-${name}`);
  await cluster.apply(
    sleeper('proof', OUTSIDE, {}, image),
    ...jobs.map(({ labels }, index) => sleeper(names[index]!, NAMESPACE, labels, image)),
  );
  const ready = async (name: string, namespace: string): Promise<Probe> => {
    const flags = ['--for=condition=Ready', `--timeout=${START_MS / 1000}s`, '--namespace', namespace];
    await cluster.kubectl(['wait', `pod/${name}`, ...flags], { limit: START_MS + 10_000 });
    const pod = await cluster.get<Pod>('pod', name, '--namespace', namespace);
    const labels = await namespaceLabels(cluster, namespace);
    return {
      ...{
        name,
        namespace,
        namespaceLabels: labels,
        labels: pod.metadata.labels,
        address: pod.status.podIP!,
      },
      run: (program) => cluster.node(name, program, { namespace, limit: START_MS }),
    };
  };
  const probes = await Promise.all([ready('proof', OUTSIDE), ...names.map((name) => ready(name, NAMESPACE))]);
  const settledAt = performance.now() + SETTLE_MS;
  await until(() => performance.now() > settledAt, { what: 'policies for the new pods' });
  return probes;
}

/** Something that listens at an address that is not of the cluster: what was named, or this program at its machine's address. */
async function listenOutside({ outside }: Cluster): Promise<{ end: Target; close(): void }> {
  if (outside) return { end: outside, close: () => undefined };
  const address = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (!address)
    throw new Error('This machine has no address that pods could try: --outside names another one');
  const server = createServer((socket) => socket.destroy()).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { end: { address, port }, close: () => void server.close() };
}

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const take = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}
