import { connections } from '../../tools/kubernetes/connections.mjs';
import { ports } from '../../tools/kubernetes/ports.mjs';
import { connectionsOf } from '../../tools/kubernetes/readme.mjs';
import { references } from '../../tools/kubernetes/references.mjs';
import { schemas } from '../../tools/kubernetes/schemas.mjs';
import { settings } from '../../tools/kubernetes/settings.mjs';
import { aGym, type Gym } from './a-gym.js';
import { judges, processOf } from './kubernetes-judges.js';

describe('the schemas', () => {
  const validated = (objects: (count: number) => string[][], documents: string[][]) =>
    schemas(aGym().facts, async (given) => ({ objects: objects(given.objects.length), documents }));

  it('are asked about each object once, and about each module of Skaffold', async () => {
    const judged = await validated((count) => new Array(count).fill([]), [[], [], [], []]);
    expect(judged).toEqual({
      faults: [],
      figures: '23 objects of 4 overlays and modules, 4 modules of Skaffold',
    });
  });

  it('name the object and the module that is wrong', async () => {
    const spoilt = (count: number) => [...new Array(count - 1).fill([]), ['spec.replica: is unknown']];
    const { faults } = await validated(spoilt, [[], [], [], ['requires: is no list']]);
    expect(faults).toEqual([
      'deploy/kubernetes/overlays/kind: NetworkPolicy/gateway is not an object of Kubernetes 1.34: spec.replica: is unknown',
      'skaffold.yaml: module pulso: requires: is no list',
    ]);
  });
});

describe('settings', () => {
  judges(settings, '8 variables of 3 containers', [
    [
      'a variable that nobody reads',
      (gym) => (gym.object('ConfigMap/gym').data.LOG_LEVLE = 'info'),
      /Deployment\/gym: container process has LOG_LEVLE, which gym does not read/,
    ],
    [
      'a setting that is missing',
      (gym) => delete gym.object('ConfigMap/gateway').data.GYM_RPC_URL,
      /container process: gateway would not start: Wrong settings\. GYM_RPC_URL: is not set/,
    ],
    [
      'a Secret without a key',
      (gym) => (gym.facts.outside.kind.Secret.gym = {} as never),
      /Job\/gym-migrate: container migrate: migrate of gym would not start: .*REDIS_URL/,
    ],
    [
      'a process that the code does not have',
      (gym) => (processOf(gym).image = 'pulso/pool'),
      /runs pulso\/pool, and nobody knows what it reads/,
    ],
  ]);

  it('may be of Node itself where they are documented', () => {
    const gym = aGym();
    processOf(gym).env = [{ name: 'NODE_OPTIONS', value: '--enable-source-maps' }];
    expect(settings(gym.facts).faults).toEqual([]);
    gym.facts.ofNode.clear();
    expect(settings(gym.facts).faults).toHaveLength(1);
  });
});

describe('connections', () => {
  const rules = (gym: Gym, name: string) => gym.object(`NetworkPolicy/${name}`).spec;
  judges(connections, '8 connections of 5 pods in kind', [
    [
      'a policy that lets in more than the code asks for',
      (gym) => (rules(gym, 'gym').ingress = [{ ports: [{ port: 'rpc' }] }]),
      /policies allow anybody → gym:50051, which no setting needs/,
    ],
    [
      'a policy that keeps out who is called',
      (gym) => (rules(gym, 'gateway').egress = []),
      /no policy allows gateway → gym:50051/,
    ],
    [
      'an engine that does not let a process in',
      (gym) =>
        (rules(gym, 'redis').ingress[0].from[0].podSelector.matchExpressions[0].values = ['gateway', 'gym']),
      /no policy allows redis-setup → redis:6379/,
    ],
    [
      'a new setting that leads elsewhere',
      (gym) => {
        Object.assign(gym.facts.code.processes.gym.shape, { POOL_URL: undefined });
        gym.object('ConfigMap/gym').data.POOL_URL = 'https://pool.example.org/swim';
      },
      /no policy allows gym → pool\.example\.org:443/,
    ],
    [
      'a namespace without the policy that denies',
      (gym) => gym.facts.complete[0]!.objects.splice(1, 1),
      /policies allow anybody → gym-migrate:6379/,
    ],
    [
      'pods that may not ask for names',
      (gym) => (rules(gym, 'dns').egress = []),
      /gym may not ask for names/,
    ],
    [
      'a table without a line',
      (gym) => gym.facts.told.pop(),
      /lacks namespaces with pulso\/monitoring=yes → gym:9090/,
    ],
    [
      'a table with a line too many',
      (gym) => gym.facts.told.push('gym → gateway:8080'),
      /has gym → gateway:8080/,
    ],
  ]);

  it('are read from the table of the README', () => {
    const table = '| from | to |\n| --- | --- |\n| a, `b` | c 1, d 2 |\n';
    expect(connectionsOf(`Text\n\n${table}\nMore`)).toEqual(['a → c:1', 'a → d:2', 'b → c:1', 'b → d:2']);
  });
});

describe('references', () => {
  judges(references, '11 names of ConfigMaps, Secrets, accounts and claims', [
    [
      'a ConfigMap that is not there',
      (gym) => (processOf(gym).envFrom[0].configMapRef.name = 'gymm'),
      /container process names ConfigMap\/gymm, which is neither rendered nor made outside/,
    ],
    [
      'a Secret that nobody makes',
      (gym) => (processOf(gym).envFrom[1].secretRef.name = 'gymm'),
      /names Secret\/gymm/,
    ],
    [
      'a key that a Secret does not have',
      (gym) => (gym.facts.outside.kind.Secret.redis = { WORD: '' } as never),
      /StatefulSet\/redis: container redis names the key REDIS_PASSWORD of Secret\/redis, which has WORD/,
    ],
    ['an account', (gym) => (gym.pod('Deployment/gym').serviceAccountName = 'x'), /names ServiceAccount\/x/],
    [
      'a claim',
      (gym) =>
        (gym.pod('Deployment/gym').volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'x' } }]),
      /volume v names PersistentVolumeClaim\/x/,
    ],
    [
      'the Service of a StatefulSet',
      (gym) => (gym.object('StatefulSet/redis').spec.serviceName = 'x'),
      /Service\/x/,
    ],
    [
      'a Deployment that selects others',
      (gym) => (gym.object('Deployment/gym').spec.selector.matchLabels = { a: 'b' }),
      /Deployment\/gym: its selector does not meet/,
    ],
    [
      'a Service without pods',
      (gym) => (gym.object('Service/gym').spec.selector = { a: 'b' }),
      /Service\/gym: its selector/,
    ],
    [
      'a budget without pods',
      (gym) => (gym.object('PodDisruptionBudget/gym').spec.selector = { matchLabels: { a: 'b' } }),
      /PodDisruptionBudget\/gym: its selector meets no pod/,
    ],
    [
      'an autoscaler of nothing',
      (gym) => (gym.object('HorizontalPodAutoscaler/gym').spec.scaleTargetRef.name = 'x'),
      /scales Deployment\/x, which is not there/,
    ],
    [
      'a policy of nobody',
      (gym) => (gym.object('NetworkPolicy/gym').spec.podSelector = { matchLabels: { a: 'b' } }),
      /NetworkPolicy\/gym: the selector .* meets no pod/,
    ],
    [
      'a policy that lists nobody',
      (gym) =>
        gym
          .object('NetworkPolicy/redis')
          .spec.ingress[0].from[0].podSelector.matchExpressions[0].values.push('pool'),
      /it names pods with app\.kubernetes\.io\/name=pool, and there are none/,
    ],
    [
      'a spread over others',
      (gym) =>
        (gym.pod('Deployment/gym').topologySpreadConstraints = [
          { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } },
        ]),
      /it spreads over zone pods that are not its own/,
    ],
  ]);
});

describe('ports', () => {
  judges(ports, '5 ports of containers', [
    [
      'a Service to no port',
      (gym) => (gym.object('Service/gym').spec.ports[0].targetPort = 'grpc'),
      /Service\/gym: its port 50051 leads to grpc, which no container of Deployment\/gym names/,
    ],
    [
      'a probe of no port',
      (gym) => (processOf(gym).readinessProbe.httpGet.port = 'health'),
      /readinessProbe asks port health, which the container does not name/,
    ],
    [
      'a probe of a page that is not there',
      (gym) => (processOf(gym).readinessProbe.httpGet.path = '/ready'),
      /asks \/ready, which the operations port does not answer/,
    ],
    [
      'a port that the process does not open',
      (gym) => (gym.object('ConfigMap/gym').data.RPC_PORT = '6000'),
      /says that port rpc is 50051, and the process opens 6000 \(RPC_PORT\)/,
    ],
    [
      'a port that is not named',
      (gym) => processOf(gym).ports.pop(),
      /names no port rpc, and the process opens 50051/,
    ],
    [
      'a policy of a port that nobody has',
      (gym) => (gym.object('NetworkPolicy/gym').spec.ingress[0].ports[0].port = 'grpc'),
      /NetworkPolicy\/gym: it allows the port grpc/,
    ],
  ]);
});
