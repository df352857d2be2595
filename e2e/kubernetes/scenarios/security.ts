import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../cluster.js';
import { type Container, type Pod, nameOf } from '../pods.js';
import type { Scenario } from '../scenario.js';

const OVERLAYS = 'deploy/kubernetes/overlays';
const APPLY_MS = 120_000;

/** What a pod finds of itself. */
interface Found {
  uid: number;
  writesRoot: boolean;
  hasToken: boolean;
  capabilities: string;
  noNewPrivileges: string;
}

const PROGRAM = `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  const status = readFileSync('/proc/self/status', 'utf8');
  const of = (key) => new RegExp('^' + key + ':\\\\s*(\\\\S+)', 'm').exec(status)[1];
  let writesRoot = true;
  try { writeFileSync('/proof', ''); } catch { writesRoot = false; }
  console.log(JSON.stringify({
    uid: process.getuid(), writesRoot, hasToken: existsSync('/var/run/secrets/kubernetes.io'),
    capabilities: of('CapEff'), noNewPrivileges: of('NoNewPrivs'),
  }));`;

/** The same by a shell. */
const SCRIPT = `
  uid=$(id -u); writes=false; token=false
  (: > /proof) 2>/dev/null && writes=true
  [ -e /var/run/secrets/kubernetes.io ] && token=true
  caps=; priv=
  while read -r key value rest; do
    case $key in CapEff:) caps=$value;; NoNewPrivs:) priv=$value;; esac
  done < /proc/self/status
  printf '{"uid":%s,"writesRoot":%s,"hasToken":%s,"capabilities":"%s","noNewPrivileges":"%s"}' "$uid" "$writes" "$token" "$caps" "$priv"`;

/** What the API server says of the manifests, and what the pods are. */
export const security: Scenario = {
  name: 'security',
  shows: 'no overlay is warned about; no pod is root, writes its root, or has a token',
  async run(cluster) {
    const overlays = readdirSync(join(cluster.root, OVERLAYS));
    let objects = 0;
    for (const overlay of overlays) objects += await applyDry(cluster, overlay);
    const pods = await cluster.running();
    const wrong: string[] = [];
    let asked = 0;
    for (const pod of pods) {
      wrong.push(...wrongIn(pod));
      const found = await lookInside(cluster, pod);
      if (!found) continue;
      asked += 1;
      const isRight =
        found.uid !== 0 &&
        !found.writesRoot &&
        !found.hasToken &&
        Number.parseInt(found.capabilities, 16) === 0 &&
        found.noNewPrivileges === '1';
      if (!isRight) wrong.push(`${pod.metadata.name} finds ${JSON.stringify(found)}`);
    }
    if (wrong.length > 0) throw new Error(wrong.join('; '));
    return {
      'overlays without a warning': overlays.join(', '),
      'objects that the API server has accepted': objects,
      'pods that are as they should be, as the API says': pods.length,
      'and as they find themselves, by node or a shell': asked,
    };
  },
};

/** @returns how many objects it has */
async function applyDry(cluster: Cluster, overlay: string): Promise<number> {
  const items = await cluster.render(join(OVERLAYS, overlay));
  for (const { kind, metadata } of items) {
    // A Job that is there cannot be changed.
    if (kind === 'Job') metadata.name += '-dry-run';
  }
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const args = ['apply', '--dry-run=server', '--filename', '-'];
  const { code, stderr } = await cluster.tryKubectl(args, { input, limit: APPLY_MS });
  if (code !== 0 || /^warning/im.test(stderr))
    throw new Error(`overlays/${overlay}: ${stderr.trim().slice(0, 1_000)}`);
  return items.length;
}

/** What the API says of a pod that should not be so. */
function wrongIn({ metadata, spec }: Pod): string[] {
  const wrong: string[] = [];
  const check = (holds: boolean | undefined, what: string) =>
    void (holds || wrong.push(`${metadata.name} ${what}`));
  check(spec.automountServiceAccountToken === false, 'mounts a token');
  check(!spec.hostNetwork, 'has the network of the node');
  const tokens = spec.volumes?.flatMap(({ projected }) => projected?.sources ?? []) ?? [];
  check(!tokens.some((source) => 'serviceAccountToken' in source), 'has a token in a volume');
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    const own = container.securityContext ?? {};
    const named = (what: string) => `(${container.name}) ${what}`;
    check(own.runAsNonRoot ?? spec.securityContext?.runAsNonRoot, named('may be root'));
    check((own.runAsUser ?? spec.securityContext?.runAsUser ?? 0) > 0, named('has no user of its own'));
    check(own.readOnlyRootFilesystem, named('may write its root'));
    check(own.allowPrivilegeEscalation === false, named('may get more rights'));
    check(dropsAll(container), named('keeps capabilities'));
  }
  return wrong;
}

const dropsAll = ({ securityContext }: Container) =>
  (securityContext?.capabilities?.drop?.includes('ALL') && !securityContext.capabilities.add?.length) ??
  false;

/** Undefined where there is neither `node` nor a shell. */
async function lookInside(cluster: Cluster, pod: Pod): Promise<Found | undefined> {
  const [{ name }] = pod.spec.containers as [Container];
  const flags = ['exec', pod.metadata.name, '--container', name, '--'];
  for (const command of [
    ['node', '--input-type=module', '--eval', PROGRAM],
    ['sh', '-c', SCRIPT],
  ]) {
    const { code, stdout, stderr } = await cluster.tryKubectl([...flags, ...command]);
    if (code === 0) return JSON.parse(stdout) as Found;
    if (!/not found|no such file/i.test(stderr)) throw new Error(`${nameOf(pod)}: ${stderr.trim()}`);
  }
  return undefined;
}
