import type { Cluster } from '../cluster.js';
import { type Container, type Pod, nameOf } from '../pods.js';
import type { Endpoint } from './network-policy.js';

/** From where connections are tried. */
export interface Probe extends Endpoint {
  name: string;
  /** Runs a program by a `node` that has the network of the pod, and returns what it prints. */
  run(program: string): Promise<string>;
}

/** A connection opens within this time, or it does not. */
const CONNECT_MS = 4_000;
const EXEC_MS = 90_000;
const PROBE = 'proof-probe';
/** It ends at the signal: otherwise its pod would use up its whole grace. */
const SLEEP = ['sh', '-c', 'trap "exit 0" TERM; sleep 1d & wait'];

/** The pods of the processes and engines. A pod without `node` gets a container with it beside its own for the rest of its life. */
export async function probesOf(cluster: Cluster, pods: readonly Pod[], nodeImage: string): Promise<Probe[]> {
  return Promise.all(
    pods.map(async (pod): Promise<Probe> => {
      const { name, labels } = pod.metadata;
      const container = (await hasNode(cluster, pod))
        ? pod.spec.containers[0]!.name
        : await besides(cluster, pod, nodeImage);
      return {
        ...{ name: nameOf(pod), labels, address: pod.status.podIP! },
        run: (program) => cluster.node(name, program, { container, limit: EXEC_MS }),
      };
    }),
  );
}

async function hasNode(cluster: Cluster, { metadata, spec }: Pod): Promise<boolean> {
  const args = ['exec', metadata.name, '--container', spec.containers[0]!.name, '--', 'node', '--version'];
  return (await cluster.tryKubectl(args)).code === 0;
}

/** A container for looking into a pod (`kubectl debug`); @returns its name */
async function besides(cluster: Cluster, { metadata }: Pod, image: string): Promise<string> {
  const pod = await cluster.get<Pod & { spec: { ephemeralContainers?: Container[] } }>('pod', metadata.name);
  if (!pod.spec.ephemeralContainers?.some(({ name }) => name === PROBE)) {
    const flags = [
      '--profile=restricted',
      `--image=${image}`,
      `--container=${PROBE}`,
      '--image-pull-policy=IfNotPresent',
    ];
    await cluster.kubectl(['debug', metadata.name, ...flags, '--', ...SLEEP]);
  }
  return PROBE;
}

/** A pod with labels and a namespace of its own, which sleeps. */
export function sleeper(
  name: string,
  namespace: string,
  labels: Record<string, string>,
  image: string,
): object {
  const security = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { ...labels, 'pulso/proof': 'policies' } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'sleep',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: SLEEP,
          securityContext: security,
        },
      ],
    },
  };
}

/** Which of these addresses and ports open, tried all at once. */
export async function opening(
  probe: Probe,
  targets: readonly { address: string; port: number }[],
): Promise<boolean[]> {
  const program = `
    import { connect } from 'node:net';
    const attempt = ([host, port]) => new Promise((resolve) => {
      const socket = connect({ host, port, timeout: ${CONNECT_MS} });
      const end = (opened) => { socket.destroy(); resolve(opened); };
      socket.on('connect', () => end(true)).on('timeout', () => end(false)).on('error', () => end(false));
    });
    const targets = ${JSON.stringify(targets.map(({ address, port }) => [address, port]))};
    console.log(JSON.stringify(await Promise.all(targets.map(attempt))));`;
  const printed = await probe.run(program);
  return JSON.parse(printed) as boolean[];
}
