import { containersOf } from './objects.mjs';

/**
 * The Pod Security standard `restricted` of Kubernetes 1.34, which includes `baseline`:
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/
 *
 * @typedef {import('./objects.mjs').Pod} Pod
 */

const VOLUMES = new Set([
  ...[
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'persistentVolumeClaim',
    'projected',
    'secret',
  ],
]);
const SYSCTLS = new Set([
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.ip_unprivileged_port_start'],
  ...['net.ipv4.tcp_syncookies', 'net.ipv4.ping_group_range', 'net.ipv4.ip_local_reserved_ports'],
  ...['net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl'],
  ...['net.ipv4.tcp_keepalive_probes', 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'],
]);
const SELINUX_TYPES = new Set([
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
]);
const PROFILES = new Set(['RuntimeDefault', 'Localhost']);
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const HOOKS = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** What the pod has that `restricted` forbids. @param {Pod} pod @returns {string[]} */
export function restrictedFaults(pod) {
  return [
    ...faultsOfPod(pod),
    ...containersOf(pod).flatMap((container) => [...faultsOfContainer(container, pod.spec)]),
  ];
}

function* faultsOfPod({ spec, object }) {
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC'])
    if (spec[field]) yield `${field} is true: take it away`;
  for (const { name, ...volume } of spec.volumes ?? [])
    for (const type of Object.keys(volume))
      if (!VOLUMES.has(type)) yield `volume ${name} is a ${type}: take one of ${[...VOLUMES].join(', ')}`;
  const context = spec.securityContext ?? {};
  yield* faultsOfContext(context, 'the pod');
  for (const { name } of context.sysctls ?? [])
    if (!SYSCTLS.has(name)) yield `the pod sets the sysctl ${name}, which is not a safe one: take it away`;
  const annotations = object.spec?.template?.metadata?.annotations ?? {};
  for (const [key, value] of Object.entries(annotations))
    if (key.startsWith(APPARMOR) && value !== 'runtime/default' && !value.startsWith('localhost/'))
      yield `the annotation ${key} switches AppArmor off: take it away`;
}

/** What a security context may not have, of a pod or of a container. */
function* faultsOfContext(context, whose) {
  if (context.windowsOptions?.hostProcess) yield `${whose} has hostProcess: take it away`;
  if (context.runAsUser === 0)
    yield `${whose} has runAsUser 0, which is root: name another user by its number`;
  const { type = '', user, role } = context.seLinuxOptions ?? {};
  if (!SELINUX_TYPES.has(type) || user || role)
    yield `${whose} has seLinuxOptions that are not allowed: take them away`;
  const seccomp = context.seccompProfile?.type;
  if (seccomp && !PROFILES.has(seccomp)) yield `${whose} has seccompProfile ${seccomp}: set RuntimeDefault`;
  const appArmor = context.appArmorProfile?.type;
  if (appArmor && !PROFILES.has(appArmor))
    yield `${whose} has appArmorProfile ${appArmor}: set RuntimeDefault`;
}

function* faultsOfContainer(container, spec) {
  const whose = `container ${container.name}`;
  const context = container.securityContext ?? {};
  const ofPod = spec.securityContext ?? {};
  yield* faultsOfContext(context, whose);
  if (context.privileged) yield `${whose} is privileged: take it away`;
  if (context.procMount && context.procMount !== 'Default') yield `${whose} has procMount: take it away`;
  if (context.allowPrivilegeEscalation !== false)
    yield `${whose} may escalate its privileges: set allowPrivilegeEscalation: false`;
  if ((context.runAsNonRoot ?? ofPod.runAsNonRoot) !== true)
    yield `${whose} may run as root: set runAsNonRoot: true`;
  if (!PROFILES.has(context.seccompProfile?.type ?? ofPod.seccompProfile?.type))
    yield `${whose} has no seccomp profile: set seccompProfile: { type: RuntimeDefault }`;
  const { add = [], drop = [] } = context.capabilities ?? {};
  if (!drop.includes('ALL')) yield `${whose} keeps capabilities: set capabilities: { drop: [ALL] }`;
  for (const capability of add)
    if (capability !== 'NET_BIND_SERVICE') yield `${whose} adds the capability ${capability}: take it away`;
  for (const { hostPort } of container.ports ?? [])
    if (hostPort) yield `${whose} takes port ${hostPort} of its node: take hostPort away`;
  for (const hook of HOOKS) yield* faultsOfHost(container[hook], `${whose}: ${hook}`);
  for (const hook of ['postStart', 'preStop'])
    yield* faultsOfHost(container.lifecycle?.[hook], `${whose}: ${hook}`);
}

/** Forbidden from Kubernetes 1.34 on: a probe could ask another machine in the kubelet's name. */
function* faultsOfHost(hook, whose) {
  if (hook?.httpGet?.host || hook?.tcpSocket?.host) yield `${whose} names a host: take it away`;
}
