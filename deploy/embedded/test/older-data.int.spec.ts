import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MARKETING } from '@pulso/gateway/config';
import { createLogger } from '@pulso/platform/logging/logger';
import pg from 'pg';
import { type RunningPulso, composePulso } from '../src/compose-pulso.js';
import {
  type Databases,
  createDatabases,
  databasesOn,
  databaseUrl,
  dropDatabases,
} from '../src/databases.js';
import { type Secrets, newSecrets } from '../src/launcher/data-directory.js';

/** A version without messaging and media wrote the data more than 7 days ago: the bus has forgotten all events. */
describe('data of a version that had fewer services', () => {
  const postgresUrl = process.env['PULSO_TEST_POSTGRES_URL']!;
  const mongodbUrl = process.env['PULSO_TEST_MONGODB_URL']!;
  const prefix = `older_${randomUUID().slice(0, 8)}`;
  const databases: Databases = databasesOn({ postgresUrl, mongodbUrl }, prefix);
  let secrets: Secrets;
  let pulso: RunningPulso | undefined;

  beforeAll(async () => {
    await createDatabases(postgresUrl, databases);
    secrets = await newSecrets();
  });
  afterAll(async () => {
    await pulso?.close();
    await dropDatabases(postgresUrl, databases);
  });

  /** Messaging's store is new, as on the first start of the version that brings it. */
  const start = (messaging: string) =>
    composePulso({
      databases: { ...databases, messaging: databaseUrl(mongodbUrl, `${prefix}_${messaging}`) },
      objectsDirectory: join(tmpdir(), prefix),
      secrets,
      port: 0,
      operationsPort: 0,
      publicUrl: 'http://localhost',
      rateLimitFactor: 0,
      staticDirectory: null,
      maxEventLoopDelayMs: 0,
      marketing: MARKETING,
      logger: createLogger({ service: 'older', level: 'silent' }),
    });

  async function call(path: string, { token, body }: { token?: string; body?: unknown } = {}) {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await fetch(`${pulso!.url}${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  const signUp = async (username: string) => {
    const { body } = await call('/api/auth/signup', {
      body: {
        name: username,
        username,
        email: `${username}@example.test`,
        password: 'secret words',
        isCoach: false,
      },
    });
    return body as { accessToken: string; user: { id: string } };
  };

  async function query(connectionString: string, ...statements: [sql: string, parameters?: unknown[]][]) {
    const pool = new pg.Pool({ connectionString, max: 1 });
    try {
      for (const [sql, parameters] of statements.slice(0, -1)) await pool.query(sql, parameters);
      return (await pool.query<Record<string, unknown>>(...statements.at(-1)!)).rows;
    } finally {
      await pool.end();
    }
  }

  const forget = () =>
    query(
      databases.bus,
      ['TRUNCATE bus_events, bus_deliveries, bus_dead_letters'],
      [`DELETE FROM bus_subscriptions WHERE grp LIKE 'messaging.%' OR grp = 'media.hidden-post'`],
    );

  it('is taken on: users whom nothing was heard of for a week write to each other after the start', async () => {
    pulso = await start('before');
    const [ana, ben] = [await signUp('ana'), await signUp('ben')];
    await pulso.drainEvents();
    await pulso.close();
    await forget();
    const hidden = randomUUID();
    await query(databases.social, [
      `INSERT INTO post_hidings (post_id, active, decided_by, decided_at, version) VALUES ($1, true, 'mo', now(), 1)`,
      [hidden],
    ]);

    pulso = await start('after');
    await pulso.drainEvents();
    // Media knew no such decisions before (MEDIA-22).
    const known = await query(databases.media, ['SELECT post_id, hidden FROM known_hidden_posts']);
    expect(known).toEqual([{ post_id: hidden, hidden: true }]);
    const token = ana.accessToken;
    expect(await call('/api/conversations', { token })).toMatchObject({ status: 200, body: { items: [] } });
    expect(await call('/api/notifications', { token })).toMatchObject({ status: 200, body: { items: [] } });
    expect(await call('/api/conversations', { token, body: { userId: ben.user.id } })).toMatchObject({
      status: 201,
      body: { otherUser: { username: 'ben' } },
    });
  });
});
