import { accountNoticeTopic, contactTopic, userTopic } from '@pulso/contracts/topics/identity';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { inContext } from '@pulso/platform/testing/context';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { GetUserByUsername } from '../src/user/get-user-by-username.js';
import { toAccountMessage } from '../src/user/user-message.js';
import { GetPasswordPolicy } from '../src/password/get-password-policy.js';
import { LogIn } from '../src/session/log-in.js';
import { Identity, PASSWORD, aSignUp, idOf } from './start.js';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

// Rule: ACCT-7
it('enforces and tells the configured password policy', async () => {
  const strict = await Identity.start({
    PASSWORD_MIN_LENGTH: '8',
    PASSWORD_MAX_LENGTH: '64',
    PASSWORD_REQUIRE_LOWERCASE: 'true',
    PASSWORD_REQUIRE_UPPERCASE: 'true',
    PASSWORD_REQUIRE_NUMERIC: 'true',
    PASSWORD_REQUIRE_NON_ALPHANUMERIC: 'true',
  });
  expect(strict.get(GetPasswordPolicy).execute()).toEqual({
    minLength: 8,
    maxLength: 64,
    requireLowercase: true,
    requireUppercase: true,
    requireNumeric: true,
    requireNonAlphanumeric: true,
  });
  const refused = (password: string) =>
    strict.signUp({ password }).then(
      () => undefined,
      (error: DomainError) => error.details.errors?.map(({ path, message }) => `${path}: ${message}`),
    );
  expect(await refused('Aa1!xyz')).toEqual(['password: Password must be at least 8 characters']);
  expect(await refused(`Aa1!${'x'.repeat(61)}`)).toEqual([
    'password: Password must be at most 64 characters',
  ]);
  expect(await refused('Uphill w4lk')).toBeUndefined();
  expect(await refused('Uphill walk')).toEqual(['password: Password must contain a number']);
  await strict.stop();
});

describe('signing up', () => {
  // Rule: ACCT-1, PEOPLE-11
  it('creates an account from cleaned fields and signs it in', async () => {
    const { user, ...session } = await identity.signUp({
      email: '  Ana.Ruiz@Example.ORG ',
      name: ' Ana Ruiz ',
      username: ' Ana-Ruiz ',
      isCoach: true,
      bio: ' Hola\n👩‍💻 ',
      specialties: ['Yoga', ' cardio ', 'yoga', '', 'Pilates'],
    });
    expect(user).toMatchObject({
      email: 'ana.ruiz@example.org',
      emailVerified: false,
      name: 'Ana Ruiz',
      username: 'ana-ruiz',
      isCoach: true,
      bio: 'Hola\n👩‍💻',
      specialties: ['cardio', 'Pilates', 'Yoga'],
      price: null,
      createdAt: identity.clock.now(),
    });
    expect(session.account).toEqual(toAccountMessage(user));
    expect(session).toMatchObject({ expiresIn: 600, refreshToken: expect.stringMatching(/^[\w-]{43}$/) });
    expect(session.refreshExpiresAt).toBe(identity.clock.now() + 30 * 24 * 3600 * 1000);
  });

  // Rule: ACCT-8
  it('stores neither password nor refresh token in plain text', async () => {
    const { user, refreshToken } = await identity.signUp();
    expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const tokens = await identity.rows<{ hash: Buffer }>('SELECT hash FROM refresh_tokens');
    expect(tokens.some(({ hash }) => hash.toString('base64url') === refreshToken)).toBe(false);
    expect(tokens.every(({ hash }) => hash.length === 32)).toBe(true);
  });

  it('publishes the user’s state with the write and records it for the caller', async () => {
    const wrote: ConsistencyToken[] = [];
    const { user } = await inContext(null, () => identity.signUp({ isCoach: true }), { wrote });
    const { id: key } = user;
    expect(wrote.slice(0, 2)).toEqual(
      [userTopic, contactTopic].map(({ name: topic }) => ({ topic, key, version: user.version })),
    );
    expect(wrote.slice(2).map(({ topic }) => topic)).toEqual([accountNoticeTopic.name]);
    await identity.service.drainEvents();
    const told = identity.service.deliveredState(userTopic, user.id)!;
    const { id, version, name, username } = user;
    expect(told).toMatchObject({ id, version, name, username, isCoach: true });
    expect(Buffer.from(userTopic.codec.encode(told)).toString('latin1')).not.toContain('@');
  });

  // Rule: ACCT-2
  it('refuses a taken address before a taken or reserved name', async () => {
    const { user } = await identity.signUp();
    const email = user.email.toUpperCase();
    expect(await outcome(identity.signUp({ email, username: user.username }))).toBe(
      'conflict email-already-in-use',
    );
    expect(await outcome(identity.signUp({ email, username: 'admin' }))).toBe(
      'conflict email-already-in-use',
    );
    expect(await outcome(identity.signUp({ username: user.username.toUpperCase() }))).toBe(
      'conflict username-taken',
    );
    for (const username of ['Feed', 'XN--Pulso']) {
      expect(await outcome(identity.signUp({ username }))).toBe('conflict username-taken');
    }
  });

  // Rule: PEOPLE-8
  it('leaves a name that was reserved later to whoever has it', async () => {
    const person = await identity.signUp();
    const { id } = person.user;
    for (const change of [
      "UPDATE users SET username = 'xn--old' WHERE id = $1",
      "UPDATE usernames SET username = 'xn--old' WHERE user_id = $1",
    ]) {
      await identity.service.tamper(change, [id]);
    }
    const changed = await identity.update(person, { username: 'xn--old', bio: 'changed' });
    expect(changed).toMatchObject({ username: 'xn--old', bio: 'changed' });
    expect(await identity.get(GetUserByUsername).execute({ username: 'xn--old' })).toMatchObject({ id });
  });

  // Rule: ACCT-2
  it('reports every wrong field at once, by its path', async () => {
    const refused = await identity
      .signUp({
        email: 'nobody',
        password: 'short',
        name: '\u200b',
        username: '-a-',
        bio: 'x'.repeat(2001),
        specialties: ['Yoga', 'y\u0000ga'],
      })
      .catch((error: DomainError) => error as DomainError);
    if (!(refused instanceof DomainError)) throw new Error('was accepted');
    expect(refused).toMatchObject({ kind: 'invalid-argument', code: 'validation-failed' });
    expect(refused.details.errors!.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'name required',
      'username invalid-username',
      'email invalid-email',
      'password too-short',
      'bio too-long',
      'specialties.1 control-character',
    ]);
  });

  it.each<[string, Parameters<typeof aSignUp>[0]]>([
    ['joiner in the name', { name: 'A\u200dna' }],
    ['line break in the name', { name: 'A\nna' }],
    ['nothing but marks in the name', { name: '\u0301\u0301' }],
    ['joiner in the username', { username: 'an\u200ca-b' }],
    ['underscore in the username', { username: 'ana_ruiz' }],
    ['31 characters of username', { username: 'a'.repeat(31) }],
    ['2 characters of username', { username: 'ab' }],
    ['81 characters of name', { name: 'a'.repeat(81) }],
    ['a common password', { password: 'Password1' }],
    ['129 characters of password', { password: 'ñ'.repeat(129) }],
    ['a password of white space', { password: '          ' }],
    ['a control character in the password', { password: 'abc\u0000defgh' }],
    ['255 characters of e-mail', { email: `${'a'.repeat(60)}@${'b.'.repeat(92)}example.org` }],
    ['21 specialties', { specialties: Array.from({ length: 21 }, (_, index) => `s${index}`) }],
    ['41 characters of specialty', { specialties: ['a'.repeat(41)] }],
  ])('refuses %s and stores nothing', async (_, fields) => {
    const before = await identity.rows('SELECT count(*) FROM users');
    expect(await outcome(identity.signUp(fields))).toBe('invalid-argument validation-failed');
    expect(await identity.rows('SELECT count(*) FROM users')).toEqual(before);
  });

  // Rule: ACCT-2
  it('lets one of many win a race for an address', async () => {
    const email = 'raced@example.org';
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcome(identity.signUp({ email }))));
    expect(tally(outcomes)).toEqual({ resolved: 1, 'conflict email-already-in-use': 11 });
    expect(await identity.rows('SELECT id FROM users WHERE email = $1', [email])).toHaveLength(1);
  });

  // Rule: ACCT-2
  it('lets one of many win a race for a name, and stores nothing of the others', async () => {
    const username = 'raced-name';
    const signUps = Array.from({ length: 12 }, () => aSignUp({ username }));
    const outcomes = await Promise.all(signUps.map((fields) => outcome(identity.signUp(fields))));
    expect(tally(outcomes)).toEqual({ resolved: 1, 'conflict username-taken': 11 });
    const emails = signUps.map(({ email }) => email);
    const users = await identity.rows<{ id: string }>('SELECT id FROM users WHERE email = ANY($1)', [emails]);
    expect(users).toHaveLength(1);
    expect(await identity.rows('SELECT user_id FROM usernames WHERE username = $1', [username])).toEqual([
      { user_id: users[0]!.id },
    ]);
  });
});

describe('logging in', () => {
  const logIn = (email: string, password: string) =>
    identity.get(LogIn).execute({ email, password, device: undefined });

  it('accepts the address in any case and opens another session', async () => {
    const { user } = await identity.signUp();
    const again = await logIn(` ${user.email.toUpperCase()} `, PASSWORD);
    expect(idOf(again)).toBe(user.id);
    expect(await identity.rows('SELECT id FROM sessions WHERE user_id = $1', [user.id])).toHaveLength(2);
  });

  // Rule: ACCT-8
  it('accepts a password typed with other code points for the same letters', async () => {
    const { user } = await identity.signUp({ password: 'mañana iré'.normalize('NFD') });
    expect(await outcome(logIn(user.email, 'mañana iré'.normalize('NFC')))).toBe('resolved');
  });

  // Rule: ACCT-11
  it('returns the same error for a wrong password, an unknown and an impossible address', async () => {
    const { user } = await identity.signUp();
    const answers = await Promise.all(
      [user.email, 'unknown@example.org', 'no address'].map((email) =>
        logIn(email, 'something else').catch((error: DomainError) => [error.kind, error.code, error.message]),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([
        JSON.stringify([
          'unauthenticated',
          'invalid-credential',
          'Failed to log in. Please check your credentials.',
        ]),
      ]),
    );
  });

  // Rule: ACCT-11
  it('reports a disabled account only after the right password', async () => {
    const { user } = await identity.signUp();
    await identity.rows("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id]);
    expect(await outcome(logIn(user.email, 'something else'))).toBe('unauthenticated invalid-credential');
    expect(await outcome(logIn(user.email, PASSWORD))).toBe('permission-denied user-disabled');
  });

  it('does not log in deleted accounts or those without a password', async () => {
    const deleted = await identity.signUp();
    const foreign = await identity.signUp();
    await identity.rows("UPDATE users SET status = 'deleted' WHERE id = $1", [deleted.user.id]);
    await identity.rows('UPDATE users SET password_hash = NULL WHERE id = $1', [foreign.user.id]);
    for (const { user } of [deleted, foreign]) {
      expect(await outcome(logIn(user.email, PASSWORD))).toBe('unauthenticated invalid-credential');
    }
  });

  it.each([
    ['', PASSWORD],
    ['a\u0000@example.org', PASSWORD],
    ['a@example.org', ''],
    ['a@example.org', 'x'.repeat(129)],
  ])('refuses what cannot be a login (%j, %j)', async (email, password) => {
    expect(await outcome(logIn(email, password))).toBe('invalid-argument validation-failed');
  });
});

// Rule: ACCT-6
it('returns the password policy', () => {
  expect(identity.get(GetPasswordPolicy).execute()).toMatchObject({ minLength: 6, maxLength: 128 });
});
