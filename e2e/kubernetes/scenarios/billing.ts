import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type ApiPost } from '../../support/api-client.js';
import { waitForEqual } from '../../support/wait-for.js';
import type { Cluster } from '../cluster.js';
import { underLoad } from '../load/under-load.js';
import { type Pod, nameOf } from '../pods.js';
import { restartsOf } from '../processes.js';
import { runCommand } from '../run-command.js';
import type { Scenario } from '../scenario.js';

const SERVICE = 'billing';
const BACKUP_MS = 180_000;
const RESTORE_MS = 300_000;
const BACKUP_JOB = 'backup-of-the-proof';

/** The team of billing deploys, breaks and repairs it, while all others serve. */
export const billing: Scenario = {
  name: 'billing',
  shows:
    'billing alone deployed and migrated, its database broken and put back by the runbook, every other service untouched and serving',
  async run(cluster) {
    await cluster.skaffold.run({ modules: ['backup'] });
    return underLoad(
      cluster,
      async (url) => {
        const before = restartsOf((await cluster.running()).filter(isOther));
        const deployed = await cluster.skaffold.run({ modules: [SERVICE] });
        const people = await People.start(url);
        await people.subscribe(people.early);
        await people.untilLocked(people.early, false);
        await backUp(cluster);
        await people.subscribe(people.late);
        await people.untilLocked(people.late, false);

        await dropTable(cluster);
        const brokenAt = performance.now();
        let said;
        try {
          const { status } = await people.early.get('/api/subscriptions');
          if (status < 500) throw new Error(`Billing without its table answers ${status}`);
        } finally {
          const afterwards = cluster.afterwards();
          said = await withKubeconfig(afterwards, (env) => restore(afterwards, env));
        }
        const repaired = Math.round((performance.now() - brokenAt) / 1000);

        await people.untilLocked(people.early, false);
        // Everybody has forgotten what the backup does not know.
        await people.untilLocked(people.late, true);
        await people.subscribe(people.late);
        await people.untilLocked(people.late, false);
        const after = restartsOf((await cluster.running()).filter(isOther));
        const touched = [...before].filter(([uid, restarts]) => after.get(uid) !== restarts);
        if (touched.length > 0) throw new Error(`${touched.length} pods of others are gone or restarted`);
        return {
          'seconds of the roll-out of billing with its migration': deployed.rolloutSeconds,
          'seconds of the repair': repaired,
          'of them without billing': /serves again after (\d+) s/.exec(said)?.[1] ?? 'not said',
          'pods of others, all untouched': before.size,
        };
      },
      { subscribes: false },
    );
  },
};

const isOther = (pod: Pod) => nameOf(pod) !== SERVICE;

/** A coach with a post for subscribers, and two members. */
class People {
  private constructor(
    readonly coach: ApiClient,
    readonly early: ApiClient,
    readonly late: ApiClient,
    private readonly post: ApiPost,
  ) {}

  static async start(url: string): Promise<People> {
    const name = `billing-${randomUUID().slice(0, 8)}`;
    const coach = await new ApiClient(url).signUp(`${name}-coach`, { isCoach: true });
    const early = await new ApiClient(url).signUp(`${name}-early`);
    const late = await new ApiClient(url).signUp(`${name}-late`);
    const { status, body } = await coach.post<ApiPost>('/api/posts', {
      content: name.repeat(20),
      visibility: 'subscribers',
    });
    if (status !== 201) throw new Error(`A post for subscribers: ${JSON.stringify(body)}`);
    return new People(coach, early, late, body);
  }

  get path(): string {
    return `/api/subscriptions/${this.coach.userId}`;
  }

  /** Who has just signed up is not known to billing yet. */
  subscribe(member: ApiClient): Promise<void> {
    const ask = async () => [200, 201].includes((await member.put(this.path)).status);
    return waitForEqual(ask, true, { what: 'an accepted subscription' });
  }

  untilLocked(member: ApiClient, locked: boolean): Promise<void> {
    const ask = async () => (await member.get<ApiPost>(`/api/posts/${this.post.id}`)).body.locked;
    return waitForEqual(ask, locked, { what: 'whether the post is locked' });
  }
}

async function backUp(cluster: Cluster): Promise<void> {
  await cluster.kubectl(['create', 'job', BACKUP_JOB, `--from=cronjob/backup-${SERVICE}`]);
  try {
    const flags = ['--for=condition=Complete', `--timeout=${BACKUP_MS / 1000}s`];
    await cluster.kubectl(['wait', `job/${BACKUP_JOB}`, ...flags], { limit: BACKUP_MS + 10_000 });
  } finally {
    await cluster.afterwards().kubectl(['delete', 'job', BACKUP_JOB, '--ignore-not-found']);
  }
}

async function dropTable(cluster: Cluster): Promise<void> {
  const sql = 'DROP TABLE subscriptions CASCADE';
  const psql = `PGPASSWORD=$POSTGRES_PASSWORD psql --host 127.0.0.1 --username postgres --dbname ${SERVICE}`;
  await cluster.exec('postgres-0', ['sh', '-c', `${psql} --set ON_ERROR_STOP=1 --command '${sql}'`]);
}

/** By docs/runbooks/restore-one-service.md, steps 3 and 5. @returns what it said */
async function restore(cluster: Cluster, env: Record<string, string>): Promise<string> {
  const program = join(cluster.root, 'deploy/backup/restore');
  const settings = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  const key = join(settings, 'pulso', `backup-${cluster.context.replaceAll('/', '_')}.key`);
  const options = { env, limit: RESTORE_MS, signal: cluster.signal };
  const { stdout, stderr } = await runCommand(program, [SERVICE, 'latest', '--key', key], options);
  const said = stdout + stderr;
  const [, kept] = /^kept (\w+)$/m.exec(said) ?? [];
  if (!kept) throw new Error(`The restore has not said what it keeps: ${said.slice(-800)}`);
  await runCommand(program, [SERVICE, '--forget', kept], options);
  return said;
}

/** For a program that takes kubectl's present context: a file that has the cluster's alone. */
async function withKubeconfig<T>(
  cluster: Cluster,
  act: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-kubeconfig-'));
  try {
    const file = join(folder, 'config');
    const flags = ['--context', cluster.context, '--minify', '--flatten', '--raw'];
    const { stdout } = await runCommand('kubectl', ['config', 'view', ...flags], { signal: cluster.signal });
    writeFileSync(file, stdout, { mode: 0o600 });
    return await act({ KUBECONFIG: file });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
