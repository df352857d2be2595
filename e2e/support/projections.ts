import type { Databases } from '@pulso/embedded/databases';
import mongoose, { type Connection } from 'mongoose';
import pg from 'pg';

/** Far more rows than a test creates, and as many as one read of the document store returns. */
const MOST_ROWS = 900;

/**
 * Compares the stores directly: the users, follows, blocks, prices and subscriptions that other services' projections lack or hold in a
 * different version than the owner. Empty when projections and owners are equal.
 */
export async function projectionDifferences(databases: Databases): Promise<string[]> {
  const store = await mongoose.createConnection(databases.posts).asPromise();
  const messaging = await mongoose.createConnection(databases.messaging).asPromise();
  try {
    const [users, follows, blocks, prices, subscriptions] = await Promise.all([
      rows(databases.identity, 'SELECT id::text AS key, version FROM users'),
      rows(databases.social, `SELECT follower_id || '_' || target_id AS key, version FROM follows`),
      rows(databases.social, `SELECT blocker_id || '_' || blocked_id AS key, version FROM blocks`),
      rows(databases.billing, 'SELECT coach_id::text AS key, version FROM coach_prices'),
      rows(databases.billing, `SELECT user_id || '_' || coach_id AS key, version FROM subscriptions`),
    ]);
    return [
      ...differences(
        'users in social',
        users,
        await rows(databases.social, 'SELECT id::text AS key, version FROM known_users'),
      ),
      ...differences('users in posts', users, await documents(store, 'users')),
      ...differences('follows in posts', follows, await documents(store, 'follows')),
      ...differences('blocks in posts', blocks, await documents(store, 'blocks')),
      ...differences('users in messaging', users, await documents(messaging, 'users')),
      ...differences('contacts in messaging', users, await documents(messaging, 'contacts')),
      ...differences('blocks in messaging', blocks, await documents(messaging, 'blocks')),
      ...differences(
        'blocks in identity',
        blocks,
        await rows(
          databases.identity,
          `SELECT blocker_id || '_' || blocked_id AS key, version FROM known_blocks`,
        ),
      ),
      ...differences(
        'users in billing',
        users,
        await rows(databases.billing, 'SELECT id::text AS key, version FROM known_users'),
      ),
      ...differences('prices in posts', prices, await documents(store, 'prices')),
      ...differences(
        'prices in identity',
        prices,
        await rows(databases.identity, 'SELECT coach_id::text AS key, version FROM known_prices'),
      ),
      ...differences('subscriptions in posts', subscriptions, await documents(store, 'subscriptions')),
      ...differences(
        'subscriptions in identity',
        subscriptions,
        await rows(
          databases.identity,
          `SELECT user_id || '_' || coach_id AS key, version FROM known_subscriptions`,
        ),
      ),
    ];
  } finally {
    await Promise.all([store.close(), messaging.close()]);
  }
}

type Versions = ReadonlyMap<string, number>;

function differences(what: string, owned: Versions, projected: Versions): string[] {
  const keys = new Set([...owned.keys(), ...projected.keys()]);
  return [...keys]
    .filter((key) => owned.get(key) !== projected.get(key))
    .map((key) => `${what}: ${key} is ${projected.get(key)} instead of ${owned.get(key)}`);
}

async function rows(url: string, query: string): Promise<Versions> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const answer = await client.query<{ key: string; version: string }>(query);
    return new Map(answer.rows.map(({ key, version }) => [key, Number(version)]));
  } finally {
    await client.end();
  }
}

async function documents(store: Connection, collection: string): Promise<Versions> {
  const found = await store
    .db!.collection<{ _id: string; version: number }>(collection)
    .find({})
    .sort({ _id: 1 })
    .limit(MOST_ROWS)
    .toArray();
  return new Map(found.map(({ _id, version }) => [_id, version]));
}
