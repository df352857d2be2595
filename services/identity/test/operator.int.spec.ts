import { jest } from '@jest/globals';
import { userInfo } from 'node:os';
import { userSuspensionTopic } from '@pulso/contracts/topics/social';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { outcome } from '@pulso/platform/testing/outcomes';
import pg from 'pg';
import { LogIn } from '../src/session/log-in.js';
import { RefreshSession } from '../src/session/refresh-session.js';
import { Identity, PASSWORD, type SignedIn } from './start.js';
import { PasskeySteps } from './support/passkeys.js';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const NOBODY = 'not-found not-found';
const EXPIRED = 'unauthenticated user-token-expired';

const find = (named: string, ...words: string[]) => identity.command('find', named, ...words);
const refresh = ({ refreshToken }: Pick<SignedIn, 'refreshToken'>) =>
  outcome(identity.get(RefreshSession).execute({ refreshToken, device: undefined }));
const logIn = ({ user: { email } }: SignedIn) =>
  identity.get(LogIn).execute({ email, password: PASSWORD, device: { userAgent: 'Phone', address: '' } });
/** What is recorded about an account, newest first. */
const audit = async ({ user }: SignedIn) =>
  (await identity.command('audit', '--subject', user.id, '--json')).map((line) => JSON.parse(line) as object);
/** Runs `work` while the database refuses what meets `refused` in a table. */
async function refusing(table: string, refused: string, work: () => Promise<void>): Promise<void> {
  await identity.rows(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (NOT (${refused})) NOT VALID`);
  try {
    await work();
  } finally {
    await identity.rows(`ALTER TABLE ${table} DROP CONSTRAINT refused`);
  }
}

// Rule: ACCT-44
describe('an operator finds an account', () => {
  it('by its id, username or address, with the ways into it', async () => {
    const person = await identity.signUp({ name: 'Ana "A"', username: 'ana-found', isCoach: true });
    const { id, email } = person.user;
    const at = new Date(identity.clock.now()).toISOString();
    const session = await identity.sessionOf(person);
    const lines = [
      `user ${id}  @ana-found  coach  active`,
      '  name "Ana \\"A\\""',
      `  e-mail address ${email}, not verified`,
      `  joined ${at}, mails in en`,
      '  password set',
      '  0 passkeys',
      '  1 session',
      `  ${session}  since ${at}  last used ${at}  192.0.2.1  "Firefox on a laptop"`,
    ];
    for (const named of [id, 'ana-found', ' @Ana-Found', email, ` ${email.toUpperCase()} `])
      expect(await find(named)).toEqual(lines);

    const [json] = await find(id, '--json');
    expect(JSON.parse(json!)).toEqual({
      ...{ id, username: 'ana-found', name: 'Ana "A"', isCoach: true, status: 'active', language: 'en' },
      ...{ email, emailVerified: false, pendingEmail: null, joined: at, hasPassword: true },
      ...{ passkeys: 0, providers: [] },
      sessions: [
        { id: session, since: at, lastUsed: at, address: '192.0.2.1', userAgent: 'Firefox on a laptop' },
      ],
    });
  });

  it('that has another address waiting, no password and a provider, and sees no secret', async () => {
    const person = await identity.signUp({ username: 'ben-found' });
    const { id, unsubscribeToken, passwordHash } = person.user;
    await identity.update(person, { email: 'ben-new@example.org', currentPassword: PASSWORD });
    const shown = [await find(id), await find(id, '--json')];
    await identity.rows('UPDATE users SET password_hash = NULL WHERE id = $1', [id]);
    await identity.rows(
      `INSERT INTO openid_links (issuer, subject, user_id, email, email_verified, created_at)
       VALUES ('https://id.example', 'subject-of-ben', $1, 'ben-of-id@example.org', false, '2026-11-19T08:00:00Z')`,
      [id],
    );
    await new PasskeySteps(identity).add(person);
    shown.push(await find(id), await find(id, '--json'));
    expect(shown[2]).toEqual(
      expect.arrayContaining([
        '  new e-mail address ben-new@example.org, waits to be verified',
        '  password not set',
        '  1 passkey',
        '  signs in by https://id.example since 2026-11-19T08:00:00.000Z, which has not verified the address',
      ]),
    );
    expect(JSON.parse(shown[3]![0]!)).toMatchObject({ hasPassword: false, passkeys: 1 });
    const text = shown.flat().join('\n');
    for (const secret of [unsubscribeToken, passwordHash!, person.refreshToken, 'subject-of-ben'])
      expect(text).not.toContain(secret);
  });

  it('in any state, and one that is not there by no name', async () => {
    const person = await identity.signUp({ username: 'cara-found' });
    const { id } = person.user;
    const head = async (named: string) => (await find(named)).filter((_, index) => index === 0);
    const suspension = { userId: id, reason: 'spam', decidedAt: 0 };
    await identity.service.tell(userSuspensionTopic, { ...suspension, version: 1, suspended: true });
    expect((await find('cara-found')).slice(-1)).toEqual(['  0 sessions']);
    expect(await head('cara-found')).toEqual([`user ${id}  @cara-found  member  suspended`]);
    await identity.service.tell(userSuspensionTopic, { ...suspension, version: 2, suspended: false });
    expect(await head('cara-found')).toEqual([`user ${id}  @cara-found  member  active`]);
    // The suspension has ended the session.
    await logIn(person);
    await identity.update(person, { username: 'cara-renamed' });
    expect(await head('cara-found')).toEqual([`user ${id}  @cara-renamed  member  active`]);
    await identity.rows("UPDATE users SET status = 'deleted' WHERE id = $1", [id]);
    expect(await head(id)).toEqual([`user ${id}  @cara-renamed  member  deleted`]);
    const unknown = ['nobody-at-all', newId(), 'nobody@example.org', 'no\u0000body@example.org', '@', ''];
    for (const named of unknown) expect(await outcome(find(named))).toBe(NOBODY);
  });
});

// Rule: ACCT-44
describe('an operator signs an account out', () => {
  it('of all its devices, while others stay and its owner can sign in again', async () => {
    const [person, other] = [await identity.signUp({ username: 'dora-out' }), await identity.signUp()];
    const phone = await logIn(person);
    expect(await identity.command('end-sessions', person.user.email)).toEqual([
      'dora-out: 2 sessions ended.',
    ]);
    for (const session of [person, phone]) expect(await refresh(session)).toBe(EXPIRED);
    expect(await refresh(other)).toBe('resolved');
    const again = await logIn(person);
    expect(await refresh(again)).toBe('resolved');
    expect(await identity.command('end-sessions', '@dora-out')).toEqual(['dora-out: 1 session ended.']);
    expect(await identity.command('end-sessions', person.user.id)).toEqual(['dora-out: 0 sessions ended.']);
  });

  it('that goes by this name now, and no other', async () => {
    const person = await identity.signUp({ username: 'emil-out' });
    await identity.update(person, { username: 'emil-renamed' });
    for (const named of ['emil-out', 'nobody-at-all', 'nobody@example.org'])
      expect(await outcome(identity.command('end-sessions', named))).toBe(NOBODY);
    expect(await refresh(person)).toBe('resolved');
    expect(await audit(person)).toEqual([]);
  });
});

// Rule: ACCT-32, ACCT-44
describe('an operator erases an account', () => {
  it('after having seen which one, and only with a reason', async () => {
    const person = await identity.signUp({ username: 'gina-kept' });
    const { id, email } = person.user;
    expect(await identity.command('erase', email, '--reason', 'asked by mail')).toEqual([
      `gina-kept: the account of ${email} would be erased for ever.`,
      'Nothing is changed: repeat it with --apply.',
    ]);
    await expect(identity.command('erase', email, '--apply')).rejects.toThrow('Missing option: --reason');
    await identity.update(person, { username: 'gina-renamed' });
    const renamed = identity.command('erase', 'gina-kept', '--reason', 'asked by mail', '--apply');
    expect(await outcome(renamed)).toBe(NOBODY);
    expect(await refresh(person)).toBe('resolved');
    expect(await identity.command('erasures', id)).toEqual(['No erasure.']);
    expect(await audit(person)).toEqual([
      expect.objectContaining({ command: 'erase', reason: 'asked by mail', outcome: 'shown' }),
    ]);
  });

  it('for ever, also a suspended one, and it is recorded', async () => {
    const person = await identity.signUp({ username: 'hugo-erased' });
    const { id } = person.user;
    const suspension = { userId: id, version: 1, suspended: true, reason: 'spam', decidedAt: 0 };
    await identity.service.tell(userSuspensionTopic, suspension);
    const words = ['--reason', 'asked by mail', '--by', 'mo', '--apply'];
    expect(await identity.command('erase', 'hugo-erased', ...words)).toEqual([
      `hugo-erased: erased here; erasures ${id} tells which services have not erased theirs yet.`,
    ]);
    expect(await outcome(logIn(person))).toBe('unauthenticated invalid-credential');
    expect((await identity.command('erasures', id))[0]).toContain(`${id}  requested `);
    for (const named of [id, 'hugo-erased'])
      expect(await outcome(identity.command('erase', named, ...words))).toBe(NOBODY);
    expect(await audit(person)).toEqual([
      expect.objectContaining({ by: 'mo', command: 'erase', reason: 'asked by mail', outcome: 'requested' }),
    ]);
    expect((await find(id))[0]).toBe(`user ${id}  member  deleted`);
  });
});

// Rule: ACCT-37
it('an operator verifies an address by naming it', async () => {
  const person = await identity.signUp({ username: 'finn-verified' });
  const { email } = person.user;
  expect(await identity.command('verify-email', email)).toEqual([
    `finn-verified: ${email} counts as verified.`,
  ]);
  expect(await find(email)).toContain(`  e-mail address ${email}, verified`);
});

// Rule: ACCT-44
describe('the record of what operators did', () => {
  it('has who, when, what, whom, why and the outcome, newest first, and neither names nor addresses', async () => {
    const person = await identity.signUp({ name: 'Gus Recorded', username: 'gus-recorded' });
    const { id, email } = person.user;
    const first = new Date(identity.clock.now()).toISOString();
    await find(email, '--by', ' mo ', '--reason', ' asks why ');
    identity.clock.advance(60_000);
    const then = new Date(identity.clock.now()).toISOString();
    await identity.command('verify-email', email, '--by', 'mo');
    await identity.command('verify-email', 'gus-recorded', '--by', 'mo');
    await identity.command('end-sessions', 'gus-recorded');
    const [mo, self] = [
      { by: 'mo', osUser: userInfo().username, subject: id },
      { by: userInfo().username, osUser: userInfo().username, subject: id },
    ];
    expect(await audit(person)).toEqual([
      { ...self, at: then, command: 'end-sessions', reason: '', outcome: '1 ended' },
      { ...mo, at: then, command: 'verify-email', reason: '', outcome: 'was verified' },
      { ...mo, at: then, command: 'verify-email', reason: '', outcome: 'verified' },
      { ...mo, at: first, command: 'find', reason: 'asks why', outcome: 'shown' },
    ]);
    const table = await identity.command('audit', '--subject', id);
    expect(table[0]).toMatch(/^at +by +osUser +command +subject +reason +outcome$/);
    expect(table.at(-1)).toMatch(
      new RegExp(`^${first}  mo +${userInfo().username} +find +${id}  asks why  shown$`),
    );
    for (const text of [email, 'gus-recorded', 'Gus Recorded']) expect(table.join('\n')).not.toContain(text);
    expect(await identity.command('audit', '--limit', '1', '--json')).toEqual([
      JSON.stringify((await audit(person))[0]),
    ]);
    expect(await identity.command('audit', '--subject', newId())).toEqual(['No entries.']);
  });

  it('is there only with the act, and the act only with its record', async () => {
    const person = await identity.signUp({ username: 'hana-both' });
    await refusing('audit_entries', 'true', async () => {
      for (const command of ['find', 'verify-email', 'end-sessions'])
        await expect(identity.command(command, 'hana-both')).rejects.toThrow('violates check constraint');
    });
    expect(await identity.stored(person)).toMatchObject({ emailVerified: false });
    await refusing('users', 'email_verified', () =>
      expect(identity.command('verify-email', 'hana-both')).rejects.toThrow('violates check constraint'),
    );
    await refusing('sessions', 'ended_at IS NOT NULL', () =>
      expect(identity.command('end-sessions', 'hana-both')).rejects.toThrow('violates check constraint'),
    );
    expect(await refresh(person)).toBe('resolved');
    expect(await audit(person)).toEqual([]);
  });

  it('has each search that finds nobody, without what was searched for', async () => {
    for (const named of ['nobody-recorded', 'nobody-recorded@example.org'])
      expect(await outcome(find(named, '--by', 'mo', '--reason', 'asks'))).toBe(NOBODY);
    const entries = (await identity.command('audit', '--limit', '2', '--json')).map((line) =>
      JSON.parse(line),
    );
    const entry = { by: 'mo', command: 'find', subject: '', reason: 'asks', outcome: 'no account' };
    expect(entries).toEqual([expect.objectContaining(entry), expect.objectContaining(entry)]);
  });

  it('is read by the account by an index', async () => {
    const person = await identity.signUp({ username: 'ida-indexed' });
    await find('ida-indexed');
    await identity.rows(
      `INSERT INTO audit_entries (id, at, by, os_user, command, subject, reason, outcome)
       SELECT gen_random_uuid(), now(), 'mo', '', 'find', gen_random_uuid()::text, '', 'found' FROM generate_series(1, 3000)`,
    );
    await identity.rows('ANALYZE audit_entries');
    const asked = jest.spyOn(pg.Client.prototype, 'query');
    onTestEnd(() => asked.mockRestore());
    expect(await audit(person)).toMatchObject([{ subject: person.user.id }]);
    const calls = asked.mock.calls as unknown as [string, unknown[]][];
    const [text, values] = calls.find(([sql]) => typeof sql === 'string' && /FROM audit_entries/.test(sql))!;
    const plan = await identity.rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    expect(plan.map((line) => line['QUERY PLAN']).join()).toContain('audit_entries_subject_idx');
  });

  it('takes new rows alone', async () => {
    const person = await identity.signUp({ username: 'ivo-kept' });
    await find('ivo-kept');
    const changes = [
      "UPDATE audit_entries SET by = 'nobody'",
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries',
    ];
    for (const change of changes)
      await expect(identity.rows(change)).rejects.toThrow('audit_entries takes new rows alone');
    expect(await audit(person)).toMatchObject([{ command: 'find' }]);
  });
});
