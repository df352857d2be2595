import { containersOf, placeOf, podsOf, stays } from './objects.mjs';
import { restrictedFaults } from './pod-security.mjs';

/** @typedef {import('./objects.mjs').Rendering} Rendering @typedef {import('./objects.mjs').Pod} Pod */

/** How long a node may wait for one pod while it is drained. */
const LONGEST_GRACE_S = 120;
const DEFAULT_GRACE_S = 30;
/** A process finishes within this after SIGTERM (docs/operations/set-up.md, Stopping a process). */
const FINISH_S = 20;
/** What kind's whole set may request: a laptop's. */
const KIND_CORES = 1.6;
const KIND_BYTES = 6 * 1024 ** 3;

/**
 * Every pod keeps the rules of Pod Security `restricted` and ours, and kind's whole set fits a laptop.
 *
 * @param {{ renderings: readonly Rendering[] }} facts
 */
export function pods({ renderings }) {
  const wholes = renderings.filter(({ module }) => module === undefined);
  const faults = [];
  let judged = 0;
  for (const rendering of renderings)
    for (const pod of podsOf(rendering.objects)) {
      judged++;
      const place = placeOf(rendering, pod.object);
      faults.push(...[...restrictedFaults(pod), ...ownFaults(pod)].map((fault) => `${place}: ${fault}`));
    }
  const sums = wholes.filter(({ overlay }) => overlay === 'kind').map(({ objects }) => requestsOf(objects));
  for (const { cores, bytes } of sums) {
    if (cores > KIND_CORES + 1e-9)
      faults.push(
        `overlays/kind requests ${cores.toFixed(2)} cores, more than ${KIND_CORES}: a laptop has no more`,
      );
    if (bytes > KIND_BYTES)
      faults.push(`overlays/kind requests ${gib(bytes)}, more than ${gib(KIND_BYTES)}: a laptop has no more`);
  }
  const figures = sums.map(
    ({ cores, bytes }) => `; kind requests ${cores.toFixed(2)} cores and ${gib(bytes)}`,
  );
  return { faults, figures: `${judged} pods${figures.join('')}` };
}

const gib = (bytes) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

/** What is asked of every pod besides the standard. @param {Pod} pod */
function* ownFaults(pod) {
  const { spec, object } = pod;
  if (spec.automountServiceAccountToken !== false)
    yield 'gets the token of its service account: set automountServiceAccountToken: false';
  if (spec.enableServiceLinks !== false)
    yield 'gets variables that nobody wrote, one of each Service: set enableServiceLinks: false';
  for (const container of containersOf(pod)) yield* ownFaultsOfContainer(container, spec);
  if (!stays(pod)) return;
  const grace = spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_S;
  if (grace > LONGEST_GRACE_S)
    yield `has ${grace} s to end: no node should wait longer than ${LONGEST_GRACE_S} s, set terminationGracePeriodSeconds`;
  if (object.metadata.labels?.['app.kubernetes.io/component'] !== 'process') return;
  const pauses = containersOf(pod).map((container) => container.lifecycle?.preStop?.sleep?.seconds ?? 0);
  const needed = Math.max(0, ...pauses) + FINISH_S;
  if (grace <= needed)
    yield `has ${grace} s to end, but may need ${needed} s, of which the last ${FINISH_S} s are to finish: set terminationGracePeriodSeconds higher`;
}

function* ownFaultsOfContainer({ name, securityContext = {}, resources = {} }, spec) {
  if (securityContext.readOnlyRootFilesystem !== true)
    yield `container ${name} may write to its root: set readOnlyRootFilesystem: true`;
  if (!Number.isInteger(securityContext.runAsUser ?? spec.securityContext?.runAsUser))
    yield `container ${name} has no user by number, which alone shows that it is not root: set runAsUser`;
  for (const [kind, resource] of [
    ['requests', 'cpu'],
    ['requests', 'memory'],
    ['limits', 'memory'],
  ])
    if (resources[kind]?.[resource] === undefined)
      yield `container ${name} has no ${kind} of ${resource}: set resources.${kind}.${resource}`;
}

/** What all pods that stay request together, each with as many replicas as the autoscaler leaves when nothing happens. */
export function requestsOf(objects) {
  let [cores, bytes] = [0, 0];
  for (const pod of podsOf(objects).filter(stays)) {
    const replicas = replicasOf(pod.object, objects);
    cores += replicas * requestOf(pod, 'cpu');
    bytes += replicas * requestOf(pod, 'memory');
  }
  return { cores, bytes };
}

function replicasOf(object, objects) {
  const scaled = objects.find(
    ({ kind, spec }) =>
      kind === 'HorizontalPodAutoscaler' &&
      spec.scaleTargetRef.kind === object.kind &&
      spec.scaleTargetRef.name === object.metadata.name,
  );
  return scaled?.spec.minReplicas ?? object.spec.replicas ?? 1;
}

/** As the scheduler counts: containers run together, those that begin the pod before them, one after the other. */
function requestOf({ spec }, resource) {
  const of = ({ resources }) => quantity(resources?.requests?.[resource] ?? 0);
  const together = (spec.containers ?? []).reduce((sum, container) => sum + of(container), 0);
  return Math.max(together, ...(spec.initContainers ?? []).map(of));
}

const UNITS = {
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Cores or bytes. Throws for what is no quantity of Kubernetes. @param {string | number} text */
export function quantity(text) {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(`${text}`) ?? [];
  if (number === undefined || UNITS[unit] === undefined) throw new Error(`${text} is no quantity`);
  return Number(number) * UNITS[unit];
}
