import type { Facts } from '../../tools/kubernetes/facts.mjs';
import type { KubernetesObject } from '../../tools/kubernetes/objects.mjs';

const NAME = 'app.kubernetes.io/name';
const COMPONENT = 'app.kubernetes.io/component';
const labelsOf = (name: string, component: string) => ({ [NAME]: name, [COMPONENT]: component });
const selecting = (name: string, component: string) => ({ matchLabels: labelsOf(name, component) });

const security = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const resources = { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } };

const podSpec = (containers: object[], more: object = {}) => ({
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  containers,
  ...more,
});

const container = (name: string, image: string, more: object) => ({
  ...{ name, image, securityContext: security, resources: structuredClone(resources) },
  ...more,
});

const settingsOf = (name: string) => ({
  envFrom: [{ configMapRef: { name } }, { secretRef: { name } }],
});

function object(kind: string, name: string, content: object): KubernetesObject {
  return { kind, metadata: { name }, ...content };
}

/** A Deployment of Pulso's, with the port of its probes and one of its own. */
function process(name: string, program: string, port: { name: string; containerPort: number }) {
  const template = {
    metadata: { labels: { ...labelsOf(name, 'process'), 'pulso/reaches-redis': 'yes' } },
    spec: podSpec(
      [
        container('process', `pulso/${name}`, {
          args: [program],
          ...settingsOf(name),
          ports: [{ name: 'operations', containerPort: 9090 }, port],
          readinessProbe: { httpGet: { path: '/readyz', port: 'operations' } },
          lifecycle: { preStop: { sleep: { seconds: 10 } } },
        }),
      ],
      { serviceAccountName: name, terminationGracePeriodSeconds: 35 },
    ),
  };
  const deployment = object('Deployment', name, {
    spec: { selector: selecting(name, 'process'), template },
  });
  deployment.metadata.labels = { [COMPONENT]: 'process' };
  return deployment;
}

const job = (name: string, labels: Record<string, string>, containers: object[], more: object = {}) =>
  object('Job', name, { spec: { template: { metadata: { labels }, spec: podSpec(containers, more) } } });

const service = (name: string, component: string, port: number, targetPort: string) =>
  object('Service', name, { spec: { selector: labelsOf(name, component), ports: [{ port, targetPort }] } });

const policy = (name: string, podSelector: object, rules: { ingress?: object[]; egress?: object[] }) =>
  object('NetworkPolicy', name, {
    spec: {
      podSelector,
      policyTypes: [...(rules.ingress ? ['Ingress'] : []), ...(rules.egress ? ['Egress'] : [])],
      ...rules,
    },
  });

const peer = (name: string, component: string) => [{ podSelector: selecting(name, component) }];

/** The namespace and its engine. */
function infra(): KubernetesObject[] {
  return [
    object('Namespace', 'pulso', {}),
    policy('default-deny', {}, { ingress: [], egress: [] }),
    policy(
      'dns',
      {},
      {
        egress: [
          {
            to: [
              {
                namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
                podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
              },
            ],
            ports: [{ port: 53, protocol: 'UDP' }],
          },
        ],
      },
    ),
    policy(
      'metrics',
      { matchLabels: { [COMPONENT]: 'process' } },
      {
        ingress: [
          {
            from: [{ namespaceSelector: { matchLabels: { 'pulso/monitoring': 'yes' } } }],
            ports: [{ port: 'operations' }],
          },
        ],
      },
    ),
    policy(
      'to-redis',
      { matchLabels: { 'pulso/reaches-redis': 'yes' } },
      { egress: [{ to: peer('redis', 'engine'), ports: [{ port: 6379 }] }] },
    ),
    policy('redis', selecting('redis', 'engine'), {
      ingress: [
        {
          from: [
            {
              podSelector: {
                matchExpressions: [{ key: NAME, operator: 'In', values: ['gateway', 'gym', 'redis-setup'] }],
              },
            },
          ],
          ports: [{ port: 6379 }],
        },
      ],
    }),
    object('StatefulSet', 'redis', {
      spec: {
        serviceName: 'redis',
        selector: selecting('redis', 'engine'),
        template: {
          metadata: { labels: labelsOf('redis', 'engine') },
          spec: podSpec([
            container('redis', 'redis:7.0-bookworm', {
              env: [
                {
                  name: 'REDISCLI_AUTH',
                  valueFrom: { secretKeyRef: { name: 'redis', key: 'REDIS_PASSWORD' } },
                },
              ],
              ports: [{ name: 'redis', containerPort: 6379 }],
              livenessProbe: { tcpSocket: { port: 'redis' } },
            }),
          ]),
        },
      },
    }),
    service('redis', 'engine', 6379, 'redis'),
    job(
      'redis-setup',
      { [NAME]: 'redis-setup', 'pulso/reaches-redis': 'yes' },
      [container('setup', 'redis:7.0-bookworm', { command: ['sh', '/etc/pulso/setup.sh'] })],
      { volumes: [{ name: 'script', configMap: { name: 'redis-setup' } }] },
    ),
    object('ConfigMap', 'redis-setup', { data: { 'setup.sh': 'redis-cli -u redis:6379 --user "$USER"' } }),
  ];
}

/** A service with the Job that makes its store's schema. */
function gym(): KubernetesObject[] {
  return [
    process('gym', 'services/gym/bundle/main.js', { name: 'rpc', containerPort: 50051 }),
    service('gym', 'process', 50051, 'rpc'),
    object('ServiceAccount', 'gym', {}),
    object('ConfigMap', 'gym', { data: { LOG_LEVEL: 'info' } }),
    object('HorizontalPodAutoscaler', 'gym', {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'gym' }, minReplicas: 1 },
    }),
    object('PodDisruptionBudget', 'gym', { spec: { selector: selecting('gym', 'process') } }),
    policy('gym', selecting('gym', 'process'), {
      ingress: [{ from: peer('gateway', 'process'), ports: [{ port: 'rpc' }] }],
    }),
    job('gym-migrate', { ...labelsOf('gym', 'migration'), 'pulso/reaches-redis': 'yes' }, [
      container('migrate', 'pulso/gym', {
        args: ['services/gym/bundle/cli/main.js', 'migrate'],
        ...settingsOf('gym'),
      }),
    ]),
  ];
}

function gateway(): KubernetesObject[] {
  return [
    process('gateway', 'gateway/bundle/main.js', { name: 'http', containerPort: 8080 }),
    service('gateway', 'process', 8080, 'http'),
    object('ServiceAccount', 'gateway', {}),
    object('ConfigMap', 'gateway', {
      data: { LOG_LEVEL: 'info', GYM_RPC_URL: 'gym:50051', PUBLIC_URL: 'http://localhost:8080' },
    }),
    policy('gateway', selecting('gateway', 'process'), {
      ingress: [{ ports: [{ port: 'http' }] }],
      egress: [{ to: peer('gym', 'process'), ports: [{ port: 'rpc' }] }],
    }),
  ];
}

/** What a process of the code reads: all of it is required but what has a default. */
function reads(required: string[], defaults: Record<string, number | string>) {
  const shape = Object.fromEntries([...required, ...Object.keys(defaults)].map((name) => [name, undefined]));
  return {
    shape,
    read: (env: Record<string, string>) => {
      const missing = required.find((name) => !env[name]);
      if (missing) throw new Error(`Wrong settings. ${missing}: is not set`);
      return env;
    },
    ports: (env: Record<string, string>) =>
      Object.fromEntries(
        Object.keys(defaults)
          .filter((name) => name.endsWith('PORT'))
          .map((name) => [name, Number(env[name] ?? defaults[name])]),
      ),
  };
}

const LOG = { LOG_LEVEL: 'info', OPERATIONS_PORT: 9090 };

/** A module of skaffold.yaml. */
const skaffoldModule = (name: string, jobs: string[], artifacts: object[]) => ({
  metadata: { name },
  build: { artifacts },
  deploy: {
    kubectl: {
      hooks:
        jobs.length > 0
          ? { before: [{ host: { command: ['deploy/kubernetes/delete-jobs', ...jobs] } }] }
          : {},
    },
  },
  profiles: [
    { name: 'kind', manifests: { kustomize: { paths: [`deploy/kubernetes/overlays/kind/${name}`] } } },
  ],
});

const artifact = (name: string) => ({
  image: `pulso/${name}`,
  custom: {
    buildCommand: `deploy/docker/build ${name}`,
    dependencies: { command: `deploy/docker/inputs ${name}` },
  },
});

/** The facts of a small Pulso in which nothing is wrong: a gateway, the service `gym`, and Redis. New ones each time. */
export function aGym() {
  const modules = { infra: infra(), gym: gym(), gateway: gateway() };
  const folder = 'deploy/kubernetes/overlays/kind';
  const objects = Object.values(modules).flat();
  const redis = { REDIS_URL: 'redis://:word@redis:6379/0' };
  const facts = {
    renderings: [
      { overlay: 'kind', folder, objects },
      ...Object.entries(modules).map(([module, own]) => ({
        ...{ overlay: 'kind', module, folder: `${folder}/${module}`, objects: own },
      })),
    ],
    complete: [{ overlay: 'kind', folder, objects }],
    code: {
      processes: {
        gateway: reads(['GYM_RPC_URL', 'REDIS_URL', 'PUBLIC_URL'], { ...LOG, PORT: 8080 }),
        gym: reads(['REDIS_URL'], { ...LOG, RPC_PORT: 50051 }),
      },
      migrations: { gym: reads(['REDIS_URL'], {}) },
    },
    outside: {
      kind: { Secret: { gateway: redis, gym: redis, redis: { REDIS_PASSWORD: 'word' } }, ConfigMap: {} },
    },
    secretSettings: new Set(['REDIS_URL']),
    ofNode: new Set(['NODE_OPTIONS']),
    told: [
      'anybody → gateway:8080',
      'gateway → gym:50051',
      ...['gateway', 'gym', 'gym-migrate', 'redis-setup'].map((from) => `${from} → redis:6379`),
      ...['gateway', 'gym'].map((to) => `namespaces with pulso/monitoring=yes → ${to}:9090`),
    ],
    skaffold: [
      skaffoldModule('infra', ['redis-setup'], []),
      skaffoldModule('gym', ['gym-migrate'], [artifact('gym')]),
      skaffoldModule('gateway', [], [artifact('gateway')]),
      { metadata: { name: 'pulso' }, requires: [{ configs: ['infra', 'gym', 'gateway'] }] },
    ],
    skaffoldSchema: {},
    unrendered: [] as string[],
    listed: new Set(Object.keys(modules).map((module) => `${folder}/${module}`)),
    isProgram: (path: string) => path.startsWith('deploy/'),
    built: new Set(['pulso/gym', 'pulso/gateway']),
    offline: new Set(['redis']),
    processes: ['gateway', 'gym'],
    bases: ['gateway', 'gym', 'namespace'],
    images: {
      gateway: ['gateway/bundle/main.js'],
      gym: ['services/gym/bundle/main.js', 'services/gym/bundle/cli/main.js'],
    },
    secretsTold: ['gateway', 'gym'],
    unused: [] as string[],
  };
  return {
    facts: facts as unknown as Facts & typeof facts,
    /** An object, by its kind and name: `Deployment/gym`. */
    object(name: string): KubernetesObject {
      return objects.find(({ kind, metadata }) => `${kind}/${metadata.name}` === name)!;
    },
    /** The pod template's spec of a Deployment, StatefulSet or Job. */
    pod(name: string) {
      return this.object(name).spec.template.spec;
    },
    /** Adds an object to the module `gym`. */
    add(kind: string, name: string, content: object) {
      const added = object(kind, name, content);
      objects.push(added);
      modules.gym.push(added);
    },
  };
}

export type Gym = ReturnType<typeof aGym>;
