import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@pulso/platform/ids/uuid-v7';
import pg from 'pg';
import type { RunningPulso } from '../src/compose-pulso.js';
import {
  type Databases,
  createDatabases,
  databasesOn,
  databaseUrl,
  dropDatabases,
} from '../src/databases.js';
import { type Secrets, newSecrets } from '../src/launcher/data-directory.js';
import { composeQuietly } from './compose-quietly.js';

/** A version without messaging, media and billing wrote the data more than 7 days ago: the bus has forgotten all events. */
describe('data of a version that had fewer services', () => {
  const postgresUrl = process.env['PULSO_TEST_POSTGRES_URL']!;
  const mongodbUrl = process.env['PULSO_TEST_MONGODB_URL']!;
  const prefix = `older_${randomUUID().slice(0, 8)}`;
  const databases: Databases = databasesOn({ postgresUrl, mongodbUrl }, prefix);
  const objectsDirectory = join(tmpdir(), prefix);
  let secrets: Secrets;
  let pulso: RunningPulso | undefined;

  beforeAll(async () => {
    await createDatabases(postgresUrl, databases);
    secrets = await newSecrets();
  });
  afterAll(async () => {
    await pulso?.close();
    await dropDatabases(postgresUrl, databases);
    await rm(objectsDirectory, { recursive: true, force: true });
  });

  /** Messaging's store is new, as on the first start of the version that brings it. */
  const start = (messaging: string) =>
    composeQuietly({
      databases: { ...databases, messaging: databaseUrl(mongodbUrl, `${prefix}_${messaging}`) },
      objectsDirectory,
      secrets,
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

  const signUp = async (username: string, isCoach = false) => {
    const { body } = await call('/api/auth/signup', {
      body: {
        name: username,
        username,
        email: `${username}@example.test`,
        password: 'secret words',
        isCoach,
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
      [
        `DELETE FROM bus_subscriptions WHERE grp LIKE 'messaging.%' OR grp LIKE 'billing.%'
         OR grp IN ('media.hidden-post', 'identity.price', 'identity.subscription', 'posts.price')`,
      ],
    );

  /** Identity's store as the version without billing has left it, where this user asks 400 MXN. */
  const withOldPrice = (userId: string) =>
    query(
      databases.identity,
      ['DROP TABLE price_intents, known_prices, known_subscriptions'],
      [
        `ALTER TABLE users
           ADD subscription_price_minor integer CHECK (subscription_price_minor BETWEEN 0 AND 10000000),
           ADD subscription_currency text CHECK (subscription_currency IN ('MXN', 'USD'))`,
      ],
      [`DELETE FROM migrations WHERE name ~ '^(HandPricesOver|FillPriceIntents|DropPrices)'`],
      [
        "UPDATE users SET subscription_price_minor = 40000, subscription_currency = 'MXN' WHERE id = $1",
        [userId],
      ],
    );

  it('is taken on: users whom nothing was heard of for a week write to each other after the start', async () => {
    pulso = await start('before');
    const [ana, ben] = [await signUp('ana'), await signUp('ben')];
    await pulso.drainEvents();
    await pulso.close();
    await forget();
    const hidden = newId();
    await query(databases.social, [
      `INSERT INTO post_hidings (post_id, active, decided_by, decided_at, version) VALUES ($1, true, 'mo', now(), 1)`,
      [hidden],
    ]);

    pulso = await start('after');
    await pulso.drainEvents();
    // Media knew no such decisions before (MEDIA-22).
    const known = await query(databases.media, ['SELECT post_id, hidden FROM known_hidden_posts']);
    expect(known).toEqual([{ post_id: hidden, hidden: true }]);
    expect(await query(databases.bus, ['SELECT grp, error FROM bus_dead_letters'])).toEqual([]);
    const token = ana.accessToken;
    expect(await call('/api/conversations', { token })).toMatchObject({ status: 200, body: { items: [] } });
    expect(await call('/api/notifications', { token })).toMatchObject({ status: 200, body: { items: [] } });
    expect(await call('/api/conversations', { token, body: { userId: ben.user.id } })).toMatchObject({
      status: 201,
      body: { otherUser: { username: 'ben' } },
    });
  });

  // Rule: SUBS-4
  it('keeps its prices: billing has them after the start, and everybody reads them as before', async () => {
    await pulso!.close();
    pulso = await start('prices');
    const coach = await signUp('cora', true);
    const token = coach.accessToken;
    const { body: post } = await call('/api/posts', { token, body: { content: 'x', visibility: 'public' } });
    await pulso.drainEvents();
    await pulso.close();
    await forget();
    await withOldPrice(coach.user.id);
    await query(databases.billing, ['DROP SCHEMA public CASCADE'], ['CREATE SCHEMA public']);

    pulso = await start('prices');
    await pulso.drainEvents();
    const price = { subscriptionPrice: 400, subscriptionCurrency: 'MXN' };
    expect(await call('/api/users/by-username/cora')).toMatchObject({ status: 200, body: price });
    expect(await call(`/api/posts/${post['id'] as string}`)).toMatchObject({
      status: 200,
      body: { author: price },
    });
    const billed = await query(databases.billing, [
      'SELECT coach_id AS id, price_minor AS minor, currency FROM coach_prices',
    ]);
    expect(billed).toEqual([{ id: coach.user.id, minor: 40_000, currency: 'MXN' }]);
    expect(await query(databases.identity, ['SELECT FROM price_intents'])).toEqual([]);
    // A start that has nothing to hand over changes nothing.
    await pulso.close();
    pulso = await start('prices');
    expect(await call('/api/users/by-username/cora')).toMatchObject({ status: 200, body: price });
  });
});
