import { type NetworkPolicy, type Target, allows } from '../kubernetes/policies/network-policy.js';

const here = { namespace: 'here', namespaceLabels: { team: 'a' } };
const app = { ...here, address: '10.0.0.1', labels: { app: 'app' } };
const store: Target = { ...here, address: '10.0.0.2', labels: { app: 'store' }, port: 5432, portName: 'sql' };
const outside: Target = { address: '203.0.113.9', port: 443 };
const monitor = {
  namespace: 'other',
  namespaceLabels: { monitoring: 'yes' },
  address: '10.0.1.1',
  labels: {},
};

const policy = (spec: NetworkPolicy['spec'], namespace = 'here'): NetworkPolicy => ({
  metadata: { name: 'one', namespace },
  spec,
});
const deny = policy({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
const of = (name: string) => ({ matchLabels: { app: name } });
const toStore = policy({
  podSelector: of('app'),
  policyTypes: ['Egress'],
  egress: [{ to: [{ podSelector: of('store') }], ports: [{ port: 5432 }] }],
});
const fromApp = policy({
  podSelector: of('store'),
  policyTypes: ['Ingress'],
  ingress: [{ from: [{ podSelector: of('app') }], ports: [{ port: 'sql' }] }],
});

describe('what NetworkPolicies allow', () => {
  it('is everything where there is none', () => {
    expect(allows([], app, store)).toBe(true);
    expect(allows([deny], monitor, outside)).toBe(true);
  });

  it('is what the policies of both sides name', () => {
    expect(allows([deny], app, store)).toBe(false);
    expect(allows([deny, toStore], app, store)).toBe(false);
    expect(allows([deny, fromApp], app, store)).toBe(false);
    expect(allows([deny, toStore, fromApp], app, store)).toBe(true);
  });

  it('is for these pods, ports and protocols alone', () => {
    const policies = [deny, toStore, fromApp];
    expect(allows(policies, store, { ...app, port: 5432 })).toBe(false);
    expect(allows(policies, app, { ...store, port: 5433, portName: 'other' })).toBe(false);
    expect(allows(policies, app, { ...store, portName: 'other' })).toBe(false);
    expect(allows(policies, { ...app, labels: { app: 'else' } }, store)).toBe(false);
    const udp = policy({ podSelector: of('app'), egress: [{ ports: [{ port: 5432, protocol: 'UDP' }] }] });
    expect(allows([udp], app, store)).toBe(false);
  });

  it.each([
    [{ port: 5000, endPort: 6000 }, true],
    [{ port: 5433, endPort: 6000 }, false],
    [{ port: 5000, endPort: 5431 }, false],
  ])('is a range of ports %j: %s', (range, allowed) => {
    const ranged = policy({ podSelector: {}, policyTypes: ['Egress'], egress: [{ ports: [range] }] });
    expect(allows([ranged], app, store)).toBe(allowed);
  });

  it('is from a namespace by its labels, and no pod of another namespace by its own', () => {
    const read = policy({
      podSelector: {},
      ingress: [{ from: [{ namespaceSelector: { matchLabels: { monitoring: 'yes' } } }] }],
    });
    expect(allows([deny, read], monitor, store)).toBe(true);
    expect(allows([deny, read], { ...monitor, namespaceLabels: {} }, store)).toBe(false);
    expect(allows([deny, fromApp], { ...monitor, labels: { app: 'app' } }, store)).toBe(false);
  });

  it.each([
    [[{ key: 'app', operator: 'In', values: ['app', 'b'] }], true],
    [[{ key: 'app', operator: 'NotIn', values: ['app'] }], false],
    [[{ key: 'app', operator: 'Exists' }], true],
    [[{ key: 'other', operator: 'Exists' }], false],
    [[{ key: 'other', operator: 'DoesNotExist' }], true],
  ] as const)('is for pods by %j: %s', (matchExpressions, allowed) => {
    const from = [{ podSelector: { matchExpressions: matchExpressions.map((one) => ({ ...one })) } }];
    const some = policy({ podSelector: of('store'), ingress: [{ from: from as never }] });
    expect(allows([some], app, store)).toBe(allowed);
  });

  it.each([
    [{ cidr: '203.0.113.0/24' }, true],
    [{ cidr: '203.0.113.0/24', except: ['203.0.113.8/30'] }, false],
    [{ cidr: '192.0.2.0/24' }, false],
    [{ cidr: '::/0' }, false],
  ])('is to addresses %j: %s', (ipBlock, allowed) => {
    const out = policy({ podSelector: {}, policyTypes: ['Egress'], egress: [{ to: [{ ipBlock }] }] });
    expect(allows([out], app, outside)).toBe(allowed);
  });
});
