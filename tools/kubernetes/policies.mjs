import { containersOf, meets, podsOf } from './objects.mjs';

/**
 * Who may reach whom, by the network policies of a namespace: those of Kubernetes' documentation, without what needs addresses.
 *
 * @typedef {object} Endpoint
 * @property {string} name of a pod's object, or words for what is outside
 * @property {boolean} own whether it is in the namespace, where the policies hold
 * @property {Record<string, string>} labels
 * @property {Record<string, string>} namespace its labels
 * @property {{ name?: string, port: number }[]} ports that its containers name
 *
 * @typedef {import('./objects.mjs').KubernetesObject} KubernetesObject
 */

export const ANYBODY = 'anybody';
const DNS_PORT = 53;

/** @param {readonly KubernetesObject[]} objects @returns {Endpoint[]} the pods of the namespace */
export function endpointsOf(objects) {
  const namespace = objects.find(({ kind }) => kind === 'Namespace');
  const labels = {
    ...namespace?.metadata.labels,
    'kubernetes.io/metadata.name': namespace?.metadata.name ?? '',
  };
  return podsOf(objects).map((pod) => ({
    name: pod.object.metadata.name,
    own: true,
    labels: pod.labels,
    namespace: labels,
    ports: containersOf(pod).flatMap(({ ports = [] }) =>
      ports.map(({ name, containerPort }) => ({ name, port: containerPort })),
    ),
  }));
}

/** Those outside of the namespace that a policy names by labels, and anybody, who has none. */
function outsiders(policies) {
  const peers = policies.flatMap(({ spec }) => [
    ...(spec.ingress ?? []).flatMap(({ from = [] }) => from),
    ...(spec.egress ?? []).flatMap(({ to = [] }) => to),
  ]);
  const named = new Map();
  for (const { namespaceSelector, podSelector } of peers) {
    const [namespace, labels] = [namespaceSelector?.matchLabels, podSelector?.matchLabels ?? {}];
    if (!namespace) continue;
    const words = (some) => Object.entries(some).map(([key, value]) => `${key}=${value}`);
    const pods = words(labels).map((label) => `, pods with ${label}`);
    const name = `namespaces with ${words(namespace).join(', ')}${pods.join('')}`;
    named.set(name, { name, own: false, labels, namespace, ports: [] });
  }
  return [{ name: ANYBODY, own: false, labels: {}, namespace: {}, ports: [] }, ...named.values()];
}

/**
 * Every connection that the policies allow and that has an end in the namespace, as `gateway → posts:50051`. What anybody may reach is
 * not repeated for each one outside. DNS is apart: `withoutDns` are the pods that cannot ask for a name.
 *
 * @param {readonly KubernetesObject[]} objects
 */
export function allowedConnections(objects) {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const own = endpointsOf(objects);
  const others = outsiders(policies);
  const numbers = numbersIn(policies);
  /** @type {Set<string>} */
  const lines = new Set();
  const withDns = new Set();
  for (const from of [...others, ...own])
    for (const to of [...own, ...others]) {
      if (!from.own && !to.own) continue;
      const ports = new Set([...to.ports.map(({ port }) => port), ...numbers]);
      for (const port of ports) {
        if (!passes(policies, from, to, port)) continue;
        if (isDns(to) && port === DNS_PORT) withDns.add(from.name);
        else lines.add(`${from.name} → ${to.name}:${port}`);
      }
    }
  const repeated = (line) => {
    const [from, to] = line.split(' → ');
    return others.some(({ name }) => name === from && name !== ANYBODY) && lines.has(`${ANYBODY} → ${to}`);
  };
  return {
    lines: [...lines].filter((line) => !repeated(line)).sort(),
    withoutDns: own.map(({ name }) => name).filter((name) => !withDns.has(name)),
  };
}

const isDns = ({ own, labels }) => !own && labels['k8s-app'] === 'kube-dns';

function numbersIn(policies) {
  const rules = policies.flatMap(({ spec }) => [...(spec.ingress ?? []), ...(spec.egress ?? [])]);
  return rules.flatMap(({ ports = [] }) => ports.map(({ port }) => port)).filter(Number.isInteger);
}

function passes(policies, from, to, port) {
  const leaves = !from.own || isAllowed(policies, 'Egress', from, to, { port, target: to });
  return leaves && (!to.own || isAllowed(policies, 'Ingress', to, from, { port, target: to }));
}

/** Whether a pod's policies of one direction let it talk with another; without any of them it may. */
function isAllowed(policies, direction, pod, peer, { port, target }) {
  const selecting = policies.filter(
    ({ spec }) => typesOf(spec).includes(direction) && meets(spec.podSelector, pod.labels),
  );
  if (selecting.length === 0) return true;
  const rules = selecting.flatMap(({ spec }) => spec[direction.toLowerCase()] ?? []);
  const peersOf = (rule) => (direction === 'Egress' ? rule.to : rule.from) ?? [];
  return rules.some(
    (rule) =>
      (peersOf(rule).length === 0 || peersOf(rule).some((one) => isPeer(one, peer))) &&
      hasPort(rule.ports ?? [], port, target),
  );
}

const typesOf = (spec) => spec.policyTypes ?? ['Ingress', ...(spec.egress ? ['Egress'] : [])];

/** An address block is none of the pods: what it is, only the one who wrote it knows. */
function isPeer({ ipBlock, namespaceSelector, podSelector }, { own, labels, namespace }) {
  if (ipBlock) return false;
  if (namespaceSelector ? !meets(namespaceSelector, namespace) : !own) return false;
  return podSelector === undefined || meets(podSelector, labels);
}

function hasPort(ports, port, target) {
  if (ports.length === 0) return true;
  return ports.some(({ port: wanted, endPort = wanted }) => {
    if (wanted === undefined) return true;
    if (typeof wanted === 'string')
      return target.ports.some((one) => one.name === wanted && one.port === port);
    return port >= wanted && port <= endPort;
  });
}
