import { BlockList, isIPv6 } from 'node:net';

interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: {
    key: string;
    operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    values?: string[];
  }[];
}

interface Peer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr: string; except?: string[] };
}

interface Port {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: Port[];
}

export interface NetworkPolicy {
  metadata: { name: string; namespace: string };
  spec: { podSelector: LabelSelector; policyTypes?: string[]; ingress?: Rule[]; egress?: Rule[] };
}

/** Who calls, or is called. An address outside of the cluster has no labels and no namespace. */
export interface Endpoint {
  address: string;
  namespace?: string;
  namespaceLabels?: Record<string, string>;
  labels?: Record<string, string>;
}

export interface Target extends Endpoint {
  port: number;
  /** As its container calls the port. */
  portName?: string;
}

/** Whether NetworkPolicies let a pod open a TCP connection: its own for what goes out, and those of the other for what comes in. */
export function allows(policies: readonly NetworkPolicy[], source: Endpoint, target: Target): boolean {
  return (
    passes(
      policies,
      'Egress',
      source,
      (rule) => admits(rule.to, target, source) && hasPort(rule.ports, target),
    ) &&
    passes(
      policies,
      'Ingress',
      target,
      (rule) => admits(rule.from, source, target) && hasPort(rule.ports, target),
    )
  );
}

/** Without a policy for it a pod is open; with some, what one of them allows. */
function passes(
  policies: readonly NetworkPolicy[],
  type: 'Ingress' | 'Egress',
  pod: Endpoint,
  isAllowed: (rule: Rule) => boolean,
): boolean {
  const own = policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.namespace &&
      (spec.policyTypes ?? ['Ingress', ...(spec.egress ? ['Egress'] : [])]).includes(type) &&
      matches(spec.podSelector, pod.labels),
  );
  const rules = own.flatMap(({ spec }) => (type === 'Ingress' ? spec.ingress : spec.egress) ?? []);
  return own.length === 0 || rules.some(isAllowed);
}

/** @param peers of a rule: none means everybody @param own the pod that the rule's policy is for */
function admits(peers: readonly Peer[] | undefined, other: Endpoint, own: Endpoint): boolean {
  return !peers?.length || peers.some((peer) => isPeer(peer, other, own));
}

function isPeer({ ipBlock, namespaceSelector, podSelector }: Peer, other: Endpoint, own: Endpoint): boolean {
  if (ipBlock) {
    return (
      contains(ipBlock.cidr, other.address) && !ipBlock.except?.some((part) => contains(part, other.address))
    );
  }
  if (other.namespace === undefined) return false;
  const isThere = namespaceSelector
    ? matches(namespaceSelector, other.namespaceLabels)
    : other.namespace === own.namespace;
  return isThere && matches(podSelector ?? {}, other.labels);
}

function hasPort(ports: readonly Port[] | undefined, { port, portName }: Target): boolean {
  if (!ports?.length) return true;
  return ports.some(({ protocol = 'TCP', port: wanted, endPort }) => {
    if (protocol !== 'TCP') return false;
    if (wanted === undefined) return true;
    if (typeof wanted === 'string') return wanted === portName;
    return endPort === undefined ? wanted === port : wanted <= port && port <= endPort;
  });
}

function matches(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: Record<string, string> = {},
) {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      const isListed = value !== undefined && values.includes(value);
      const holds = {
        In: isListed,
        NotIn: !isListed,
        Exists: value !== undefined,
        DoesNotExist: value === undefined,
      };
      return holds[operator];
    })
  );
}

function contains(cidr: string, address: string): boolean {
  const [network, bits] = cidr.split('/');
  const family = isIPv6(network!) ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network!, Number(bits), family);
  // A list of IPv6 holds IPv4, too, as a part of it; a policy does not.
  return isIPv6(address) === isIPv6(network!) && list.check(address, family);
}
