import type { PriceIntentState } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { priceIntentTopic } from '@pulso/contracts/topics/identity';
import type { PostgresStore } from '@pulso/platform/postgres/postgres-store';
import { aPostgresDatabase, type TestDatabase } from '@pulso/platform/testing/databases';
import { TestService } from '@pulso/platform/testing/test-service';
import { until } from '@pulso/platform/testing/until';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { identity as definition } from '../src/service.js';
import { aCoachRow, type CoachRow, storeCoaches } from './support/directory.js';
import { anUpdate, aSignUp } from './start.js';

const store = definition.store as PostgresStore;
/** More than one batch of the migration takes. */
const PRICED = 600;

describe('prices of the version before', () => {
  let database: TestDatabase;
  let client: Client;
  const target = () => ({
    service: 'identity',
    setting: 'IDENTITY_DATABASE_URL',
    url: database.url,
    pool: 1,
  });

  beforeEach(async () => {
    database = await aPostgresDatabase('identity');
    client = new Client(database.url);
    await client.connect();
    const options = store.dataSourceOptions(target());
    const migrations = (options.migrations as (new () => object)[]).filter(
      ({ name }) => !/^(HandPricesOver|FillPriceIntents)/.test(name),
    );
    const before = await new DataSource({ ...options, migrations, extra: {} }).initialize();
    await before.runMigrations({ transaction: 'each' });
    await before.destroy();
  });
  afterEach(async () => {
    await client?.end();
    await database?.drop();
  });

  /** As the version before writes a price. */
  const price = ({ id }: CoachRow, minor: number | null, currency: string | null) =>
    client.query(
      `UPDATE users SET subscription_price_minor = $2, subscription_currency = $3, version = version + 1,
       name = name WHERE id = $1`,
      [id, minor, currency],
    );

  /** The intents, and what is in the outbox of them. */
  const intents = async () => {
    const { rows } = await client.query<{
      id: string;
      minor: number | null;
      currency: string;
      version: string;
    }>('SELECT user_id AS id, price_minor AS minor, currency, version FROM price_intents ORDER BY user_id');
    const told = await client.query<{ key: string; version: string; payload: Buffer }>(
      'SELECT key, version, payload FROM outbox WHERE topic = $1 ORDER BY key',
      [priceIntentTopic.name],
    );
    const states = told.rows.map(({ payload }) => priceIntentTopic.codec.decode(payload));
    expect(told.rows.map(({ key, version }) => [key, Number(version)])).toEqual(
      states.map((state) => [priceIntentTopic.keyOf(state), state.version]),
    );
    const stored = rows.map(({ id, minor, currency, version }): PriceIntentState => ({
      userId: id,
      version: Number(version),
      priceMinor: minor ?? undefined,
      currency,
    }));
    return { stored, states };
  };

  it('become intents that are published, those of nobody stay out, and repeating it changes nothing', async () => {
    const coaches = Array.from({ length: PRICED }, () => aCoachRow());
    await storeCoaches((sql, values) => client.query(sql, values), coaches);
    await client.query(
      "UPDATE users SET subscription_price_minor = 40000, subscription_currency = 'MXN', version = 1700000000000000",
    );
    const [free, unset, chosen] = coaches as [CoachRow, CoachRow, CoachRow];
    await price(free, 0, 'USD');
    await price(unset, null, null);
    await price(chosen, null, 'USD');
    await store.migrate(target());
    const { stored, states } = await intents();
    const expected = coaches
      .filter((coach) => coach !== unset)
      .map(({ id }): PriceIntentState => {
        const usual = { userId: id, version: 1700000000000000, priceMinor: 40_000, currency: 'MXN' };
        if (id === free.id) return { ...usual, version: 1700000000000001, priceMinor: 0, currency: 'USD' };
        if (id !== chosen.id) return usual;
        return { userId: id, version: 1700000000000001, priceMinor: undefined, currency: 'USD' };
      });
    expect(stored).toEqual(expected);
    expect(states).toEqual(expected);
    await store.migrate(target());
    expect((await intents()).stored).toEqual(expected);
  });

  it('reach billing while the version before runs, which sees the new ones, until the contract', async () => {
    const coach = aCoachRow();
    await storeCoaches((sql, values) => client.query(sql, values), [coach]);
    await store.migrate(target());
    await price(coach, 1_500, 'USD');
    const first = (await intents()).states;
    expect(first).toEqual([{ userId: coach.id, version: 2, priceMinor: 1_500, currency: 'USD' }]);
    await price(coach, null, 'USD');
    expect((await intents()).states).toEqual([
      { userId: coach.id, version: 3, priceMinor: undefined, currency: 'USD' },
    ]);

    // As this version stores billing's price, which contains the intent, at the same moment.
    const settling = new Client(database.url);
    await settling.connect();
    await settling.query('BEGIN');
    await settling.query(
      `INSERT INTO known_prices (coach_id, price_minor, currency, intent_version, version)
       VALUES ($1, 700, 'USD', 7, 1)`,
      [coach.id],
    );
    await settling.query('DELETE FROM price_intents');
    const repriced = price(coach, 1_000, 'USD');
    await until(
      async () => {
        const waiting = await settling.query('SELECT FROM pg_locks WHERE NOT granted');
        return waiting.rows.length > 0;
      },
      { what: 'the change of the price waits' },
    );
    await settling.query('COMMIT');
    await settling.end();
    await repriced;
    expect((await intents()).states).toEqual([
      { userId: coach.id, version: 8, priceMinor: 1_000, currency: 'USD' },
    ]);

    // As this version writes one.
    await client.query("UPDATE price_intents SET price_minor = 900, currency = 'MXN', version = 10");
    const { rows } = await client.query(
      'SELECT subscription_price_minor AS minor, subscription_currency AS currency FROM users',
    );
    expect(rows).toEqual([{ minor: 900, currency: 'MXN' }]);
    // A write of the version before that leaves the price alone asks for nothing.
    await client.query('UPDATE users SET version = 20');
    expect((await intents()).stored).toMatchObject([{ priceMinor: 900, version: 10 }]);

    await store.migrate(target(), { finish: true });
    const columns = await client.query(
      "SELECT FROM pg_attribute WHERE attrelid = 'users'::regclass AND attname LIKE 'subscription_%'",
    );
    expect(columns.rows).toEqual([]);
    expect((await intents()).stored).toMatchObject([{ priceMinor: 900, version: 10 }]);
    await store.migrate(target(), { finish: true });
    await store.migrate(target());
    await store.assertReady(target());
  });
});

describe.each([
  ['before the contract', false],
  ['after the contract', true],
])('the service %s', (_when, finish) => {
  it('signs up, stores a price and shows it', async () => {
    const identity = await TestService.start(definition, rpcContracts.identity, { finish });
    try {
      const { account } = await identity.client.signUp(aSignUp({ isCoach: true }));
      const { id } = account!.user!;
      const [session] = await identity.rows<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [
        id,
      ]);
      const update = anUpdate({ bio: 'Runs', subscriptionPriceMinor: { value: 40_000 } });
      await identity.as(id, (client) => client.updateMe(update), { sessionId: session!.id });
      await identity.drainEvents();
      const intent = identity.deliveredState(priceIntentTopic, id)!;
      expect(intent).toMatchObject({ priceMinor: 40_000 });
      await identity.tell(priceTopic, {
        ...{ coachId: id, version: 1, currency: 'MXN', priceMinor: 40_000 },
        intentVersion: intent.version,
      });
      expect(await identity.client.getUser({ id })).toMatchObject({
        bio: 'Runs',
        subscriptionPriceMinor: 40_000,
      });
      expect(await identity.rows('SELECT FROM price_intents')).toEqual([]);
    } finally {
      await identity.stop();
    }
  });
});
