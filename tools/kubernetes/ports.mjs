import { containersOf, meets, placeOf, podsOf, stays } from './objects.mjs';
import { environmentOf, PORTS, programOf } from './processes.mjs';

/** @typedef {import('./objects.mjs').Rendering} Rendering */

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'];
/** What the operations port answers. */
const PROBE_PATHS = new Set(['/healthz', '/readyz']);

/**
 * Services lead to ports that containers name, probes ask such ports, policies allow such ports, and a container of Pulso names those
 * that its settings open.
 *
 * @param {{ complete: readonly Rendering[], code: import('./processes.mjs').Processes,
 *   outside: Record<string, import('./processes.mjs').Outside> }} facts `outside`: by overlay
 */
export function ports({ complete, code, outside }) {
  const faults = [];
  let count = 0;
  for (const rendering of complete) {
    const pods = podsOf(rendering.objects);
    for (const object of rendering.objects) {
      const found =
        object.kind === 'Service'
          ? serviceFaults(object, pods)
          : object.kind === 'NetworkPolicy'
            ? policyFaults(object, pods)
            : [];
      faults.push(...[...found].map((fault) => `${placeOf(rendering, object)}: ${fault}`));
    }
    for (const pod of pods)
      for (const container of containersOf(pod)) {
        count += container.ports?.length ?? 0;
        const place = `${placeOf(rendering, pod.object)}: container ${container.name}`;
        const where = { objects: rendering.objects, outside: outside[rendering.overlay] };
        const opened = openedBy(pod, container, { code, where });
        faults.push(
          ...[...probeFaults(container), ...openedFaults(container, opened)].map(
            (fault) => `${place}: ${fault}`,
          ),
        );
      }
  }
  return { faults, figures: `${count} ports of containers` };
}

const portsOf = (pod) => containersOf(pod).flatMap(({ ports: own = [] }) => own);

const isOf = (port) => (one) => one.name === port || one.containerPort === port;

function* serviceFaults({ spec }, pods) {
  const behind = pods.filter((pod) => spec.selector && meets({ matchLabels: spec.selector }, pod.labels));
  for (const pod of behind.filter(stays))
    for (const { port, targetPort = port } of spec.ports)
      if (!portsOf(pod).some(isOf(targetPort)))
        yield `its port ${port} leads to ${targetPort}, which no container of ${pod.name} names: correct targetPort`;
}

/** A name that no pod has allows nothing, without a word. */
function* policyFaults({ spec }, pods) {
  const rulesAndPods = [
    ...(spec.ingress ?? []).map((rule) => [
      rule,
      pods.filter(({ labels }) => meets(spec.podSelector, labels)),
    ]),
    ...(spec.egress ?? []).map((rule) => [
      rule,
      pods.filter(({ labels }) =>
        (rule.to ?? []).some((peer) => peer.podSelector && meets(peer.podSelector, labels)),
      ),
    ]),
  ];
  for (const [{ ports: allowed = [] }, targets] of rulesAndPods)
    for (const { port } of allowed)
      if (typeof port === 'string' && !targets.some((pod) => portsOf(pod).some(isOf(port))))
        yield `it allows the port ${port}, which no pod that it selects names: correct it`;
}

function* probeFaults(container) {
  for (const probe of PROBES) {
    const { httpGet, tcpSocket, grpc } = container[probe] ?? {};
    const port = (httpGet ?? tcpSocket ?? grpc)?.port;
    if (port !== undefined && !(container.ports ?? []).some(isOf(port)))
      yield `${probe} asks port ${port}, which the container does not name: correct it`;
    if (httpGet && port === 'operations' && !PROBE_PATHS.has(httpGet.path))
      yield `${probe} asks ${httpGet.path}, which the operations port does not answer: take ${[...PROBE_PATHS].join(' or ')}`;
  }
}

/** The ports that a process opens with the settings that it gets, by their names; none for a Job and for images of others. */
function openedBy(pod, container, { code, where }) {
  const reads = stays(pod) ? programOf(container, code)?.reads : undefined;
  if (!reads) return {};
  const numbers = reads.ports(environmentOf(container, where).env);
  const names = Object.entries(PORTS).filter(([, setting]) => numbers[setting] !== undefined);
  return Object.fromEntries(names.map(([name, setting]) => [name, { setting, port: numbers[setting] }]));
}

function* openedFaults({ ports: named = [] }, opened) {
  for (const [name, { setting, port }] of Object.entries(opened)) {
    const one = named.find((candidate) => candidate.name === name);
    if (!one) yield `names no port ${name}, and the process opens ${port} (${setting}): name it`;
    else if (one.containerPort !== port)
      yield `says that port ${name} is ${one.containerPort}, and the process opens ${port} (${setting}): make them equal`;
  }
}
