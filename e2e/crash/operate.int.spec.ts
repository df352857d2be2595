import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { databasesOn } from '@pulso/embedded/databases';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { eventOf } from '@pulso/platform/events/event-record';
import { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { createLogger } from '@pulso/platform/logging/logger';
import pg from 'pg';
import { ApiClient } from '../support/api-client.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';
import { runProgram } from '../support/run-process.js';
import { waitForEqual } from '../support/wait-for.js';

interface Exported {
  complete: boolean;
  services: Record<string, Record<string, object[]>>;
}

describe("the operators' commands on the data directory of npm start", () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-operate-'));
  let pulso: PulsoProcess;
  let pool: pg.Pool;

  const operate = (...words: string[]) =>
    runProgram('tools/operate.mjs', words, { PULSO_DATA_DIR: dataDirectory });
  const urlsFile = join(dataDirectory, 'engines.json');

  beforeAll(async () => {
    pulso = await startPulsoProcess({ dataDirectory });
    const { postgres, documents } = JSON.parse(readFileSync(urlsFile, 'utf8')) as Record<string, string>;
    const { bus } = databasesOn({ postgresUrl: postgres!, mongodbUrl: documents! }, 'pulso');
    pool = new pg.Pool({ connectionString: bus, max: 2 });
    // The engines stop before the suite ends.
    pool.on('error', () => undefined);
  }, 180_000);
  afterAll(async () => {
    await pool?.end();
    await pulso?.killTree();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  it('reach the bus while it runs and while it is stopped', async () => {
    const bus = new InProcessBus({ pool, logger: createLogger({ service: 'test', level: 'silent' }) });
    const active = { version: 1, status: UserStatus.USER_STATUS_ACTIVE, name: 'Ana', username: 'ana' };
    const [hopeless, good] = [newId(), newId()].map((id) =>
      eventOf(userTopic, UserState.fromPartial({ ...active, id })),
    ) as [EventRecord, EventRecord];
    await bus.publish([{ ...hopeless, payload: new Uint8Array([255]) }, good]);
    const letters = async () =>
      (await pool.query<{ grp: string }>('SELECT grp FROM bus_dead_letters ORDER BY grp')).rows.map(
        ({ grp }) => grp,
      );
    const groups = ['billing.user', 'media.user', 'messaging.user', 'posts.user', 'social.user'];
    await waitForEqual(letters, groups, { what: 'the groups with a dead letter', limit: 180_000 });
    // A good event that was given up on, such as one that met a defect of an earlier version.
    await pool.query(
      `INSERT INTO bus_dead_letters SELECT seq, 'posts.user', 8, 'Error: a defect', now() FROM bus_events WHERE id = $1`,
      [good.id],
    );
    expect(statSync(urlsFile).mode & 0o777).toBe(0o600);

    const listed = await operate('posts', 'dead-letters');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(`${good.id}  `);
    expect(listed.stdout).toMatch(`${hopeless.id}  `);
    expect(await operate('posts', 'replay', hopeless.id)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('posts: 1 replayed, 1 failed again.') as string,
    });
    expect(await operate('posts', 'discard', hopeless.id)).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: `posts: ${hopeless.id} discarded.\n`,
    });

    expect(await pulso.stop()).toBe(0);
    expect(() => statSync(urlsFile)).toThrow('ENOENT');
    expect(await operate('posts', 'replay')).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'posts: 1 replayed, 0 failed again.\n',
    });
    expect((await operate('identity', 'republish', 'user')).stderr).toMatch('are stopped: run npm start');

    // The commands leave the directory as they found it: it can be started.
    pulso = await startPulsoProcess({ dataDirectory });
    await new ApiClient(pulso.url).signUp('republished');
    expect(await operate('identity', 'republish', 'user')).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'identity: 1 states of user published again.\n',
    });
    expect(await operate('identity', 'end-sessions', '@republished', '--by', 'mo')).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'republished: 1 session ended.\n',
    });
    const found = await operate('identity', 'find', 'republished@example.test', '--reason', 'asks why');
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout).toMatch(/^user \S+ {2}@republished {2}member {2}active\n {2}name "republished"\n/);
    const [, shown, ended, end] = (await operate('identity', 'audit')).stdout.split('\n');
    expect(shown).toMatch(new RegExp(` ${userInfo().username} +find +\\S+ +asks why +shown$`));
    expect([ended, end]).toEqual([expect.stringMatching(/ mo +\S.* +end-sessions +\S+ +- +1 ended$/), '']);
    await exportIsSaved();
    expect(await operate('identity', 'end-sessions', 'nobody')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'identity: No account is called nobody.\n',
    });
  }, 600_000);

  // Rule: ACCT-44
  async function exportIsSaved(): Promise<void> {
    const out = join(dataDirectory, 'republished.json');
    const words = ['@republished', '--out', out, '--gateway', pulso.url, '--reason', 'asked by mail'];
    const exported = await operate('identity', 'export', ...words, '--apply');
    const text = readFileSync(out, 'utf8');
    expect(exported).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: `republished: exported to ${out}, ${Buffer.byteLength(text)} bytes.\n`,
    });
    const { complete, services } = JSON.parse(text) as Exported;
    expect([complete, Object.keys(services).sort()]).toEqual([true, [...SERVICE_NAMES].sort()]);
    expect(services['identity']!['account']).toEqual([expect.objectContaining({ username: 'republished' })]);
    // The session that `end-sessions` has ended, and that of the export itself.
    expect(services['identity']!['sessions']).toEqual([
      expect.objectContaining({ endReason: 'revoked' }),
      expect.objectContaining({ userAgent: 'Export by an operator of Pulso', endedAt: null }),
    ]);
    const { stdout } = await operate('identity', 'find', 'republished');
    expect(stdout).toContain('  0 sessions\n');
    const gone = await operate(
      'identity',
      'export',
      ...words.with(2, `${out}.2`).with(4, 'http://127.0.0.1:9'),
      '--apply',
    );
    expect(gone).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^identity: The gateway did not give/),
    });
    expect(() => statSync(`${out}.2`)).toThrow('ENOENT');
  }

  it('are refused without a service', async () => {
    const { code, stderr } = await operate('nobody', 'dead-letters');
    expect([code, stderr]).toEqual([
      1,
      'Usage: npm run operate -- <billing|identity|media|messaging|posts|social> <command>\n',
    ]);
  });

  it('say that a directory holds no Pulso, and make none', async () => {
    const { code, stderr } = await runProgram('tools/operate.mjs', ['posts', 'dead-letters'], {
      PULSO_DATA_DIR: join(dataDirectory, 'none'),
    });
    expect([code, stderr]).toEqual([
      1,
      `posts: PULSO_DATA_DIR: no Pulso has been started in ${join(dataDirectory, 'none')}.\n`,
    ]);
    expect(() => statSync(join(dataDirectory, 'none'))).toThrow('ENOENT');
  });
});
