import { images } from '../../tools/kubernetes/images.mjs';
import { pods, quantity } from '../../tools/kubernetes/pods.mjs';
import { secrets } from '../../tools/kubernetes/secrets.mjs';
import { aGym, type Gym } from './a-gym.js';
import { judges, processOf } from './kubernetes-judges.js';

const context = (gym: Gym) => processOf(gym).securityContext;
/** The containers of a gym share a context: a copy is changed alone. */
const change = (gym: Gym, values: object) =>
  (processOf(gym).securityContext = { ...context(gym), ...values });

describe('pods', () => {
  const spec = (values: object) => (gym: Gym) => Object.assign(gym.pod('Deployment/gym'), values);
  const own = (values: object) => (gym: Gym) => void change(gym, values);
  const podContext = (values: object) => (gym: Gym) =>
    Object.assign(gym.pod('Deployment/gym').securityContext, values);
  judges(pods, '10 pods; kind requests 0.30 cores and 0.8 GiB', [
    ['the network of the node', spec({ hostNetwork: true }), /Deployment\/gym: hostNetwork is true/],
    ['the processes of the node', spec({ hostPID: true }), /hostPID is true/],
    [
      'a folder of the node',
      spec({ volumes: [{ name: 'x', hostPath: { path: '/' } }] }),
      /volume x is a hostPath/,
    ],
    ['a token', spec({ automountServiceAccountToken: undefined }), /gets the token of its service account/],
    ['variables of Services', spec({ enableServiceLinks: true }), /set enableServiceLinks: false/],
    ['no time to finish', spec({ terminationGracePeriodSeconds: 30 }), /has 30 s to end, but may need 30 s/],
    [
      'too much time to finish',
      spec({ terminationGracePeriodSeconds: 600 }),
      /has 600 s to end: no node should/,
    ],
    ['an unsafe sysctl', podContext({ sysctls: [{ name: 'kernel.msgmax' }] }), /sysctl kernel\.msgmax/],
    ['root for all', podContext({ runAsUser: 0 }), /the pod has runAsUser 0/],
    [
      'seccomp switched off',
      podContext({ seccompProfile: { type: 'Unconfined' } }),
      /seccompProfile Unconfined/,
    ],
    ['no seccomp', podContext({ seccompProfile: undefined }), /container process has no seccomp profile/],
    ['a user without a number', podContext({ runAsUser: undefined }), /has no user by number/],
    ['a user that may be root', podContext({ runAsNonRoot: false }), /container process may run as root/],
    ['another SELinux type', podContext({ seLinuxOptions: { type: 'spc_t' } }), /seLinuxOptions/],
    ['a process of the host', podContext({ windowsOptions: { hostProcess: true } }), /hostProcess/],
    [
      'AppArmor switched off',
      podContext({ appArmorProfile: { type: 'Unconfined' } }),
      /appArmorProfile Unconfined/,
    ],
    [
      'AppArmor switched off by its old name',
      (gym) =>
        (gym.object('Deployment/gym').spec.template.metadata.annotations = {
          'container.apparmor.security.beta.kubernetes.io/process': 'unconfined',
        }),
      /switches AppArmor off/,
    ],
    ['privileges', own({ privileged: true }), /container process is privileged/],
    ['more privileges later', own({ allowPrivilegeEscalation: undefined }), /may escalate its privileges/],
    ['a root that may be written', own({ readOnlyRootFilesystem: false }), /may write to its root/],
    ['capabilities that stay', own({ capabilities: {} }), /keeps capabilities/],
    [
      'another capability',
      own({ capabilities: { drop: ['ALL'], add: ['SYS_TIME'] } }),
      /adds the capability SYS_TIME/,
    ],
    ['an open procMount', own({ procMount: 'Unmasked' }), /procMount/],
    ['a port of the node', (gym) => (processOf(gym).ports[0].hostPort = 80), /takes port 80 of its node/],
    [
      'a probe of another machine',
      (gym) => (processOf(gym).readinessProbe.httpGet.host = 'example.org'),
      /readinessProbe names a host/,
    ],
    ['no request', (gym) => delete processOf(gym).resources.requests.cpu, /no requests of cpu/],
    ['no limit of memory', (gym) => delete processOf(gym).resources.limits, /no limits of memory/],
    [
      'an init container that may write to its root',
      (gym) =>
        (gym.pod('Deployment/gym').initContainers = [
          {
            ...processOf(gym),
            name: 'first',
            securityContext: { ...context(gym), readOnlyRootFilesystem: false },
          },
        ]),
      /container first may write to its root/,
    ],
    ['the pods of a Job', (gym) => (gym.pod('Job/gym-migrate').hostIPC = true), /Job\/gym-migrate: hostIPC/],
    [
      'more cores than a laptop has',
      (gym) => (processOf(gym).resources.requests.cpu = '1500m'),
      /overlays\/kind requests 1\.70 cores/,
    ],
    [
      'more memory than a laptop has, by replicas',
      (gym) => (gym.object('HorizontalPodAutoscaler/gym').spec.minReplicas = 24),
      /overlays\/kind requests 6\.5 GiB, more than 6\.0 GiB/,
    ],
  ]);

  it.each([
    ['1500m', 1.5],
    ['2', 2],
    [0.5, 0.5],
    ['256Mi', 268_435_456],
    ['1Gi', 1_073_741_824],
  ])('counts %s as %s', (text, value) => expect(quantity(text)).toBe(value));

  it('refuses what is no quantity', () => expect(() => quantity('much')).toThrow('much is no quantity'));
});

describe('images', () => {
  const takes = (image: string) => (gym: Gym) => (processOf(gym).image = image);
  judges(images, '3 images, 2 of them built by Skaffold', [
    ['latest', takes('redis:latest'), /container process: image redis:latest has the tag latest/],
    ['an image without a tag', takes('registry.example.org:5000/redis'), /:5000\/redis has no tag/],
    [
      'a tag on an image of Pulso',
      takes('pulso/gym:1.2'),
      /pulso\/gym:1\.2 has a tag or digest: take it away/,
    ],
    ['an image that nothing builds', takes('pulso/other'), /pulso\/other is built by no module/],
    ['a container without an image', takes(''), /image \(none\) is none/],
    [
      'an engine that a closed network cannot have',
      (gym) => (gym.pod('StatefulSet/redis').containers[0].image = 'valkey:8'),
      /infra: StatefulSet\/redis: .* no deploy\/docker\/offline\/valkey\/Dockerfile/,
    ],
  ]);

  it('may be named by a digest', () => {
    const gym = aGym();
    takes('registry.example.org:5000/redis@sha256:0a')(gym);
    expect(images(gym.facts).faults).toEqual([]);
  });
});

describe('secrets', () => {
  const inMap = (value: string) => (gym: Gym) => (gym.object('ConfigMap/gym').data.NOTE = value);
  judges(secrets, '46 objects, 6 ConfigMaps, 1 secret settings', [
    [
      'a Secret in a manifest',
      (gym) => gym.add('Secret', 'gym', { stringData: {} }),
      /Secret\/gym is a Secret in a manifest/,
    ],
    [
      'a secret setting in a ConfigMap',
      (gym) => (gym.object('ConfigMap/gym').data.REDIS_URL = 'redis://redis'),
      /ConfigMap\/gym has REDIS_URL/,
    ],
    [
      'a password in a URL',
      inMap('postgresql://gym:tHePaSs@postgres/gym'),
      /data\.NOTE looks like a password in a URL/,
    ],
    ['a private key', inMap('-----BEGIN EC PRIVATE KEY-----'), /looks like a private key in PEM/],
    ['a private JWK', inMap(`[{"kty":"OKP","d":"${'a'.repeat(43)}"}]`), /looks like a private JWK/],
    ['a list of secrets', inMap('[{"kid":"1","secret":"0123456789"}]'), /looks like a list of secrets/],
    ['a password in a script', inMap('login --password=hunter22'), /looks like a password/],
    [
      'a literal that is secret by its name',
      (gym) => (processOf(gym).env = [{ name: 'STRIPE_API_KEY', value: 'x' }]),
      /Deployment\/gym: container process has STRIPE_API_KEY as a literal/,
    ],
  ]);

  it.each(['password="$GYM_PASSWORD"', 'http://$USER:$WORD@minio', "PASSWORD :'password'", 'public key'])(
    'are not what is put in later: %s',
    (text) => {
      const gym = aGym();
      inMap(text)(gym);
      expect(secrets(gym.facts).faults).toEqual([]);
    },
  );
});
