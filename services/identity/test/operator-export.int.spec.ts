import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userSuspensionTopic } from '@pulso/contracts/topics/social';
import {
  createAccessTokenVerifier,
  publicJwks,
  type VerifiedCaller,
} from '@pulso/platform/auth/access-token';
import { outcome } from '@pulso/platform/testing/outcomes';
import { ListEndedSessions } from '../src/session/list-ended-sessions.js';
import { IdentitySettings } from '../src/settings.js';
import { Identity, type SignedIn } from './start.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const WHOLE = '{"format":"pulso-export","complete":true}\n';
const WORDS = ['--reason', 'asked by mail', '--by', 'mo'];

let identity: Identity;
let folder: string;
/** In the place of the gateway, which `e2e/crash/operate.int.spec.ts` has. */
let gateway: Server;
let url: string;
let answer: Answer;
/** The headers and paths of the requests that it got. */
let asked: { path: string; authorization: string }[];

beforeAll(async () => {
  identity = await Identity.start();
  folder = mkdtempSync(join(tmpdir(), 'pulso-export-'));
  gateway = createServer((request, response) => {
    asked.push({ path: request.url!, authorization: request.headers.authorization! });
    void answer(request, response);
  });
  await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((closed) => gateway?.close(closed));
  if (folder) rmSync(folder, { recursive: true });
  await identity?.stop();
});
beforeEach(() => {
  asked = [];
  answer = (_request, response) => response.end(WHOLE);
});

const exportTo = (out: string, named: string, ...words: string[]) =>
  identity.command('export', named, '--out', out, '--gateway', url, ...WORDS, ...words);
const callerOf = (authorization: string): Promise<VerifiedCaller> | VerifiedCaller => {
  const jwks = publicJwks(identity.get(IdentitySettings).ACCESS_TOKEN_KEYS);
  return createAccessTokenVerifier({ jwks, clock: identity.clock }).verify(authorization);
};
const audit = async ({ user }: SignedIn) =>
  (await identity.command('audit', '--subject', user.id, '--json')).map((line) => JSON.parse(line) as object);
const outcomes = async (person: SignedIn) =>
  (await audit(person)).map((entry) => (entry as { outcome: string }).outcome);
const sessions = ({ user }: SignedIn) =>
  identity.rows<{ id: string; user_agent: string; end_reason: string | null }>(
    'SELECT id, user_agent, end_reason FROM sessions WHERE user_id = $1 ORDER BY id',
    [user.id],
  );

// Rule: ACCT-44
describe('an operator exports an account', () => {
  it('after having seen which one, into a file that is not there yet, with a reason', async () => {
    const person = await identity.signUp({ username: 'ada-asked' });
    const out = join(folder, 'ada-asked.json');
    expect(await exportTo(out, 'ada-asked')).toEqual([
      `ada-asked: all that is held of ${person.user.email} would be exported.`,
      'Nothing is changed: repeat it with --apply.',
    ]);
    const without = (option: string) => {
      const words = ['ada-asked', ...['out', 'gateway', 'reason'].flatMap((one) => [`--${one}`, url])];
      words.splice(words.indexOf(`--${option}`), 2);
      return identity.command('export', ...words, '--apply');
    };
    for (const option of ['out', 'gateway', 'reason'])
      await expect(without(option)).rejects.toThrow(`Missing option: --${option}`);
    for (const address of [
      'pulso.example.org',
      'file:///etc/passwd',
      'https://me:secret@pulso.example.org',
    ]) {
      const words = ['--out', out, '--gateway', address, ...WORDS, '--apply'];
      await expect(identity.command('export', 'ada-asked', ...words)).rejects.toThrow(
        '--gateway must be the address of a gateway',
      );
    }
    writeFileSync(out, 'mine');
    await expect(exportTo(out, 'ada-asked', '--apply')).rejects.toThrow(`--out: ${out} is there already.`);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect([asked, await outcomes(person), await sessions(person)]).toEqual([
      [],
      ['shown'],
      [expect.anything()],
    ]);
  });

  it('with a token of a session of its own, which ends with the export; all of it is recorded', async () => {
    const person = await identity.signUp({ username: 'ben-exported' });
    const { id } = person.user;
    const out = join(folder, 'ben-exported.json');
    const during: unknown[] = [];
    answer = async (_request, response) => {
      during.push(await outcomes(person), (await identity.command('find', id)).at(-2));
      response.end(WHOLE);
    };
    const lines = await exportTo(out, 'ben-exported', '--apply');
    expect(lines).toEqual([`ben-exported: exported to ${out}, ${WHOLE.length} bytes.`]);
    expect(readFileSync(out, 'utf8')).toBe(WHOLE);
    expect(statSync(out).mode & 0o777).toBe(0o600);

    const [{ path, authorization }] = asked as [(typeof asked)[number]];
    const caller = await callerOf(authorization);
    expect([path, asked.length, caller.userId]).toEqual(['/api/me/export', 1, id]);
    // Its owner saw it meanwhile. Gateways refuse it from now on.
    expect(during).toEqual([
      ['begun'],
      expect.stringMatching(`^  ${caller.sessionId}  .*"Export by an operator of Pulso"$`),
    ]);
    expect(await sessions(person)).toEqual([
      expect.objectContaining({ end_reason: null }),
      { id: caller.sessionId, user_agent: 'Export by an operator of Pulso', end_reason: 'revoked' },
    ]);
    const { sessions: ended } = await identity
      .get(ListEndedSessions)
      .execute({ afterEndedAt: 0, afterId: '' });
    expect(ended.map((session) => session.id)).toContain(caller.sessionId);
    const tokens = await identity.rows('SELECT FROM refresh_tokens WHERE session_id = $1', [
      caller.sessionId,
    ]);
    expect(tokens).toEqual([]);

    const entry = { by: 'mo', command: 'export', subject: id, reason: 'asked by mail' };
    const [exported, , begun] = await audit(person);
    expect(exported).toMatchObject({ ...entry, outcome: 'exported' });
    expect(begun).toMatchObject({ ...entry, outcome: 'begun' });
    const [, , signature] = authorization.split('.') as [string, string, string];
    expect(JSON.stringify([lines, await audit(person)])).not.toContain(signature);
  });

  it('that is suspended, and none that is deleted or goes by this name no more', async () => {
    const person = await identity.signUp({ username: 'cleo-suspended' });
    const suspension = { userId: person.user.id, version: 1, suspended: true, reason: 'spam', decidedAt: 0 };
    await identity.service.tell(userSuspensionTopic, suspension);
    const out = join(folder, 'cleo-suspended.json');
    await exportTo(out, 'cleo-suspended', '--apply');
    expect(readFileSync(out, 'utf8')).toBe(WHOLE);

    const renamed = await identity.signUp({ username: 'dan-before' });
    await identity.update(renamed, { username: 'dan-renamed' });
    await identity.rows("UPDATE users SET status = 'deleted' WHERE id = $1", [person.user.id]);
    asked = [];
    for (const named of ['dan-before', person.user.id, 'nobody-at-all'])
      expect(await outcome(exportTo(join(folder, 'none.json'), named, '--apply'))).toBe(
        'not-found not-found',
      );
    expect([asked, await audit(renamed)]).toEqual([[], []]);
  });
});

// Rule: ACCT-44
describe('an export of which the gateway does not give the whole', () => {
  const elsewhere: string[] = [];
  const CASES: [what: string, reason: string, answer: Answer][] = [
    [
      'is refused',
      'The gateway refuses the export with 503: A part of it is not available.',
      (_request, response) => {
        response.statusCode = 503;
        response.end('{"code":"unavailable","detail":"A part of it is not available."}');
      },
    ],
    [
      'is refused by something else',
      'The gateway refuses the export with 502.',
      (_request, response) => {
        response.statusCode = 502;
        response.end('<h1>Bad gateway</h1>');
      },
    ],
    [
      'is cut',
      'The gateway gave a document that is cut.',
      (_request, response) => response.end(WHOLE.slice(0, -1)),
    ],
    ['is nothing', 'The gateway gave a document that is cut.', (_request, response) => response.end()],
    [
      'breaks off',
      'The gateway did not give the whole document: ',
      (_request, response) => {
        response.write(WHOLE, () => response.socket!.resetAndDestroy());
      },
    ],
    [
      'is somewhere else',
      'The gateway did not give the whole document: unexpected redirect',
      (request, response) => {
        if (request.url !== '/api/me/export') elsewhere.push(request.url!);
        response.writeHead(307, { location: '/elsewhere' }).end();
      },
    ],
  ];

  it.each(CASES)('because it %s leaves no file, and is recorded', async (_what, reason, answers) => {
    const person = await identity.signUp();
    answer = answers;
    const before = readdirSync(folder);
    await expect(exportTo(join(folder, 'cut.json'), person.user.id, '--apply')).rejects.toThrow(reason);
    expect(readdirSync(folder)).toEqual(before);
    expect(await outcomes(person)).toEqual(['failed', 'begun']);
    expect((await sessions(person)).map(({ end_reason: end }) => end)).toEqual([null, 'revoked']);
    expect(elsewhere).toEqual([]);
  });

  it('is not even begun where the record of it cannot be written', async () => {
    const person = await identity.signUp();
    await identity.rows('ALTER TABLE audit_entries ADD CONSTRAINT refused CHECK (false) NOT VALID');
    const exporting = exportTo(join(folder, 'unrecorded.json'), person.user.id, '--apply');
    await expect(exporting).rejects.toThrow('violates check constraint');
    await identity.rows('ALTER TABLE audit_entries DROP CONSTRAINT refused');
    expect([asked, existsSync(join(folder, 'unrecorded.json'))]).toEqual([[], false]);
    expect(await sessions(person)).toHaveLength(1);
  });

  it('leaves what is in its place as it is', async () => {
    const person = await identity.signUp();
    const out = join(folder, 'left.json');
    writeFileSync(`${out}.part`, 'of an earlier run that was killed');
    await expect(exportTo(out, person.user.id, '--apply')).rejects.toThrow(
      `${out}.part cannot be made: EEXIST`,
    );
    expect([existsSync(out), readFileSync(`${out}.part`, 'utf8')]).toEqual([
      false,
      'of an earlier run that was killed',
    ]);
    expect([asked, await outcomes(person)]).toEqual([[], ['failed', 'begun']]);
  });
});
