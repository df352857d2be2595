import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrl, withServer } from '@pulso/embedded/databases';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { publicSealingKey } from '@pulso/platform/auth/sealed-message';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { type Ended, ProgramsAtOnce, runProgram } from '../support/run-process.js';
import { engine } from '../support/test-pulso.js';

/** An address where no server listens. */
const NOWHERE = '127.0.0.1:1';
const PASSWORD = 'hush-hush';

const ROLES = ['identity', 'media', 'social', 'posts', 'gateway'] as const;
type Role = (typeof ROLES)[number];
const scriptOf = (role: Role) =>
  role === 'gateway' ? 'gateway/bundle/main.js' : `services/${role}/bundle/main.js`;
const cli = (service: 'identity' | 'social' | 'posts') => `services/${service}/bundle/cli/main.js`;

const MALFORMED = [
  [
    'identity',
    { ACCESS_TOKEN_KEYS: '[{"kty":"OKP","kid":"1","d":"short"}]' },
    /ACCESS_TOKEN_KEYS: must hold/,
  ],
  [
    'media',
    { MEDIA_OBJECTS_DIR: '' },
    /MEDIA_OBJECTS_URL: is not set\. Name a bucket, or a directory by MEDIA_OBJECTS_DIR\./,
  ],
  [
    'media',
    { MEDIA_OBJECTS_URL: `https://key:${PASSWORD}@host/pulso` },
    /MEDIA_OBJECTS_DIR, MEDIA_OBJECTS_URL: both are set/,
  ],
  ['media', { MEDIA_OBJECTS_URL: `s3://key:${PASSWORD}@host` }, /MEDIA_OBJECTS_URL: must be an http/],
  ['social', { SOCIAL_DATABASE_URL: `mysql://u:${PASSWORD}@x` }, /SOCIAL_DATABASE_URL: /],
  ['posts', { KAFKA_BROKERS: 'kafka' }, /KAFKA_BROKERS: must be a comma-separated list of host:port/],
  ['gateway', { POSTS_RPC_URL: 'posts' }, /POSTS_RPC_URL: must be host:port/],
  ['gateway', { HOST: 'nohost.invalid' }, /HOST: nohost.invalid is not an address of this machine/],
] as const;

const UNREACHABLE = [
  [
    'identity',
    { IDENTITY_DATABASE_URL: `postgres://u:${PASSWORD}@${NOWHERE}/x` },
    /IDENTITY_DATABASE_URL: .*u:\*\*\*@/,
  ],
  [
    'social',
    { SOCIAL_DATABASE_URL: `postgres://u:${PASSWORD}@${NOWHERE}/x` },
    /SOCIAL_DATABASE_URL: .*u:\*\*\*@/,
  ],
  [
    'posts',
    { POSTS_DATABASE_URL: `mongodb://u:${PASSWORD}@${NOWHERE}/x` },
    /POSTS_DATABASE_URL: .*u:\*\*\*@/,
  ],
  ['posts', { KAFKA_BROKERS: NOWHERE }, /KAFKA_BROKERS: 127\.0\.0\.1:1 cannot be used/],
  ['posts', { KAFKA_SSL: 'true' }, /KAFKA_BROKERS: .* cannot be used: .*KAFKA_SSL or KAFKA_SASL/],
  [
    'gateway',
    { REDIS_URL: `redis://:${PASSWORD}@${NOWHERE}` },
    /REDIS_URL: redis:\/\/:\*\*\*@.* cannot be used/,
  ],
] as const;

const UNMIGRATED = [
  ['identity', /IDENTITY_DATABASE_URL: the database has no schema yet\. Run .*migrate/],
  ['media', /MEDIA_DATABASE_URL: the database has no schema yet\. Run .*migrate/],
  ['social', /SOCIAL_DATABASE_URL: the database has no schema yet\. Run .*migrate/],
  ['posts', /POSTS_DATABASE_URL: the database lacks indexes of .*posts.*\. Run .*migrate/],
] as const;

/** Databases by the end of their URL; without one it is this suite's database. */
type Command = readonly [
  script: string,
  role: 'posts' | 'social',
  words: string,
  databases: Record<string, string>,
  line: RegExp,
];
const COMMANDS: readonly Command[] = [
  [cli('social'), 'social', 'reports', {}, /SOCIAL_DATABASE_URL: the database has no schema yet/],
  [
    cli('social'),
    'social',
    'reports',
    { SOCIAL_DATABASE_URL: 'nowhere' },
    /SOCIAL_DATABASE_URL: .* cannot be used/,
  ],
  [cli('social'), 'social', 'republish follow', {}, /SOCIAL_DATABASE_URL: the database has no schema yet/],
  [cli('posts'), 'posts', 'republish post', {}, /POSTS_DATABASE_URL: the database lacks indexes/],
];

describe('a process that cannot start', () => {
  const database = `refusals_${randomUUID().slice(0, 8)}`;
  let settings: Record<Role, Record<string, string>>;
  /** What needs the database as it is at the beginning. */
  const early = new ProgramsAtOnce(3);

  beforeAll(async () => {
    const { signingKeys, cursor, pulsoAfter, mediaTicketKeys, mediaUrl, mailSealingKeys } =
      await newSecrets();
    const postgresUrl = engine('PULSO_TEST_POSTGRES_URL');
    await withServer(postgresUrl, async (client) => void (await client.query(`CREATE DATABASE ${database}`)));
    const ports = { OPERATIONS_PORT: '0', RPC_PORT: '0' };
    const keys = { ACCESS_TOKEN_JWKS: JSON.stringify(publicJwks(signingKeys)) };
    const tickets = { MEDIA_TICKET_JWKS: JSON.stringify(publicJwks(mediaTicketKeys)) };
    const addresses = { MEDIA_URL_SECRETS: JSON.stringify(mediaUrl) };
    const service = {
      ...ports,
      KAFKA_BROKERS: engine('PULSO_TEST_KAFKA_BROKERS'),
      CURSOR_SECRETS: JSON.stringify(cursor),
    };
    settings = {
      identity: {
        ...service,
        IDENTITY_DATABASE_URL: databaseUrl(postgresUrl, database),
        ...tickets,
        ACCESS_TOKEN_KEYS: JSON.stringify(signingKeys),
        MAIL_SEALING_JWKS: JSON.stringify(mailSealingKeys.map(publicSealingKey)),
        REDIS_URL: engine('PULSO_TEST_REDIS_URL'),
      },
      media: {
        ...service,
        ...keys,
        ...addresses,
        BYTES_PORT: '0',
        MEDIA_DATABASE_URL: databaseUrl(postgresUrl, database),
        MEDIA_TICKET_KEYS: JSON.stringify(mediaTicketKeys),
        MEDIA_OBJECTS_DIR: join(tmpdir(), database),
        REDIS_URL: engine('PULSO_TEST_REDIS_URL'),
      },
      social: {
        ...service,
        ...keys,
        SOCIAL_DATABASE_URL: databaseUrl(postgresUrl, database),
        REDIS_URL: engine('PULSO_TEST_REDIS_URL'),
      },
      posts: {
        ...service,
        ...keys,
        ...tickets,
        ...addresses,
        POSTS_DATABASE_URL: databaseUrl(engine('PULSO_TEST_MONGODB_URL'), database),
        REDIS_URL: engine('PULSO_TEST_REDIS_URL'),
      },
      gateway: {
        ...keys,
        OPERATIONS_PORT: '0',
        PORT: '0',
        PUBLIC_URL: 'http://localhost',
        PULSO_AFTER_SECRETS: JSON.stringify(pulsoAfter),
        REDIS_URL: engine('PULSO_TEST_REDIS_URL'),
        BILLING_RPC_URL: NOWHERE,
        IDENTITY_RPC_URL: NOWHERE,
        MEDIA_BYTES_URL: `http://${NOWHERE}`,
        MEDIA_RPC_URL: NOWHERE,
        MESSAGING_RPC_URL: NOWHERE,
        POSTS_RPC_URL: NOWHERE,
        SOCIAL_RPC_URL: NOWHERE,
      },
    };
    for (const role of ROLES) early.begin(scriptOf(role), [], {});
    for (const [role, change] of [...MALFORMED, ...UNREACHABLE]) early.begin(...start(role, change));
    for (const [role] of UNMIGRATED) early.begin(...start(role, {}));
    for (const each of COMMANDS) early.begin(...command(each));
  });
  afterAll(async () => {
    await early.end();
    await withServer(engine('PULSO_TEST_POSTGRES_URL'), async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    });
  });

  const start = (role: Role, change: Record<string, string>) =>
    [scriptOf(role), [], { ...settings[role], ...change }] as const;
  const command = ([script, role, words, databases]: Command) => {
    const changed = Object.entries(databases).map(([name, end]) => [
      name,
      databaseUrl(settings[role][name]!, end),
    ]);
    return [script, words.split(' '), { ...settings[role], ...Object.fromEntries(changed) }] as const;
  };
  const late = (role: Role, change: Record<string, string>) => runProgram(...start(role, change));

  /** Expects exit code 1, the reason on the last line of standard error, and no secret in the output. */
  async function expectRefusal(role: Role, ended: Promise<Ended>, line: RegExp) {
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).not.toMatch(/"level":"(?:error|fatal)"/);
    const secrets = [
      PASSWORD,
      'CURSOR_SECRETS',
      'PULSO_AFTER_SECRETS',
      'ACCESS_TOKEN_KEYS',
      'MEDIA_TICKET_KEYS',
    ].map((name) => settings[role][name] ?? name);
    for (const secret of secrets.filter((text) => text.length > 20 || text === PASSWORD)) {
      expect(stdout + stderr).not.toContain(secret);
    }
  }

  it.each(ROLES)('%s: names every missing setting', async (role) => {
    const { code, stderr } = await early.outcome(scriptOf(role), [], {});
    expect(code).toBe(1);
    // Where files are is asked last: a bucket or a directory.
    const needed = Object.keys(settings[role]).filter((name) => !/PORT$|^MEDIA_OBJECTS_/.test(name));
    for (const name of needed) expect(stderr).toContain(`${name}: is not set`);
  });

  it.each(MALFORMED)('%s: refuses a malformed setting', async (role, change, line) => {
    await expectRefusal(role, early.outcome(...start(role, change)), line);
  });

  it.each(UNREACHABLE)('%s: refuses an unreachable engine %j', async (role, change, line) => {
    await expectRefusal(role, early.outcome(...start(role, change)), line);
  });

  it.each(UNMIGRATED)('%s: refuses a store that was not migrated', async (role, line) => {
    await expectRefusal(role, early.outcome(...start(role, {})), line);
  });

  it.each(COMMANDS)('%s: of %s: %s %j ends in one line', async (...one) => {
    const { code, stdout, stderr } = await early.outcome(...command(one));
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(one[4]) });
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('identity: refuses missing topics, including those it publishes', async () => {
    const { identity } = settings;
    await runProgram(cli('identity'), ['migrate'], identity);
    const topics = /KAFKA_BROKERS, KAFKA_PREFIX: these topics are missing.* none\.pulso\.identity\.user\.v1/;
    await expectRefusal('identity', late('identity', { KAFKA_PREFIX: 'none.' }), topics);
    const commands = [['dead-letters'], ['replay'], ['republish', 'user']];
    const refused = commands.map((words) =>
      runProgram(cli('identity'), words, { ...identity, KAFKA_PREFIX: 'none.' }),
    );
    for (const ended of await Promise.all(refused)) {
      expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(topics) });
      expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    }
  }, 300_000);

  it('identity: refuses an unavailable address or port', async () => {
    const { identity } = settings;
    await runProgram(cli('identity'), ['migrate'], identity);
    const host = { RPC_HOST: '192.0.2.1' };
    await expectRefusal(
      'identity',
      late('identity', host),
      /^identity: RPC_HOST: 192.0.2.1 is not an address of this machine/,
    );
    const port = await takenPort();
    const taken = new RegExp(`^identity: RPC_PORT: ${port} is taken`);
    await expectRefusal('identity', late('identity', { RPC_PORT: `${port}` }), taken);
  }, 240_000);

  it('identity: refuses a store that lacks a migration', async () => {
    const { identity } = settings;
    const migrated = await runProgram('services/identity/bundle/cli/main.js', ['migrate'], identity);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    const ofDatabase = (statement: string) =>
      withServer(identity.IDENTITY_DATABASE_URL!, async (client) => void (await client.query(statement)));
    await ofDatabase('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)');
    await expectRefusal(
      'identity',
      late('identity', {}),
      /IDENTITY_DATABASE_URL: the database lacks \w+\. Run .*migrate/,
    );
  }, 240_000);

  it('gateway: refuses a database that Redis does not have', async () => {
    const url = databaseUrl(engine('PULSO_TEST_REDIS_URL'), '99999');
    await expectRefusal(
      'gateway',
      late('gateway', { REDIS_URL: url }),
      /REDIS_URL: .*99999 cannot be used: .*out of range/,
    );
  });

  it('gateway: refuses a port that another program uses', async () => {
    const port = await takenPort();
    await expectRefusal(
      'gateway',
      late('gateway', { PORT: `${port}` }),
      new RegExp(`PORT: ${port} is taken`),
    );
    await expectRefusal(
      'gateway',
      late('gateway', { OPERATIONS_PORT: `${port}` }),
      new RegExp(`OPERATIONS_PORT: ${port} is taken`),
    );
  }, 240_000);
});

/** A port where a server of this test listens until its end. */
async function takenPort(): Promise<number> {
  const server = createServer();
  onTestEnd(() => new Promise((resolve) => server.close(resolve)));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, resolve));
  return (server.address() as { port: number }).port;
}
