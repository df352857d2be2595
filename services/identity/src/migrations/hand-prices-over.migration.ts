import { priceIntentTopic } from '@pulso/contracts/topics/identity';
import { addRebuildColumns } from '@pulso/platform/postgres/create-rebuilds.migration';
import { inBatches } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prices move to billing (SUBS-4): identity keeps what a user asked for until billing has stored it, and projects prices
 * and subscriptions. While the version before runs, triggers carry prices between its columns and the intents.
 */
export class HandPricesOver1764900000000 implements MigrationInterface {
  readonly name = 'HandPricesOver1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.createTables(runner);
    await this.createFunctions(runner);
    await runner.query(`
      CREATE TRIGGER users_price_changed AFTER UPDATE ON users
        FOR EACH ROW WHEN ((OLD.subscription_price_minor, OLD.subscription_currency)
          IS DISTINCT FROM (NEW.subscription_price_minor, NEW.subscription_currency))
        EXECUTE FUNCTION intend_changed_price()`);
    await runner.query(`
      CREATE TRIGGER price_intents_told AFTER INSERT OR UPDATE ON price_intents
        FOR EACH ROW EXECUTE FUNCTION tell_intended_price()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropPriceTriggers(runner);
    await runner.query('DROP TABLE price_intents, known_prices, known_subscriptions');
    await runner.query('DELETE FROM outbox WHERE topic = $1', [priceIntentTopic.name]);
  }

  private async createTables(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE price_intents (
        user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        price_minor integer CHECK (price_minor BETWEEN 0 AND 10000000),
        currency text NOT NULL CHECK (currency IN ('MXN', 'USD')),
        version bigint NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE known_prices (
        coach_id uuid PRIMARY KEY,
        price_minor integer,
        currency text NOT NULL,
        intent_version bigint NOT NULL,
        version bigint NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE known_subscriptions (
        user_id uuid NOT NULL,
        coach_id uuid NOT NULL,
        active boolean NOT NULL,
        access_until timestamptz(3),
        version bigint NOT NULL,
        PRIMARY KEY (user_id, coach_id)
      )`);
    for (const table of ['known_prices', 'known_subscriptions']) await addRebuildColumns(runner, table);
  }

  private async createFunctions(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION protobuf_varint(value bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
      DECLARE
        bytes bytea := '';
        rest bigint := value;
      BEGIN
        WHILE rest > 127 LOOP
          bytes := bytes || set_byte('\\x00', 0, (rest & 127 | 128)::integer);
          rest := rest >> 7;
        END LOOP;
        RETURN bytes || set_byte('\\x00', 0, rest::integer);
      END $$`);
    // Writes an intent and publishes it: its state, as PriceIntentState is encoded. First it waits for a price that is about
    // to remove the intent before, so that the new version is greater than that price's.
    await runner.query(`
      CREATE FUNCTION intend_price(id uuid, minor integer, chosen text, told bigint) RETURNS void
      LANGUAGE plpgsql AS $$
      DECLARE
        written price_intents;
      BEGIN
        PERFORM 1 FROM price_intents WHERE user_id = id FOR UPDATE;
        INSERT INTO price_intents AS intent (user_id, price_minor, currency, version)
        VALUES (id, minor, coalesce(chosen, 'MXN'),
          greatest(told, (SELECT intent_version + 1 FROM known_prices WHERE coach_id = id)))
        ON CONFLICT (user_id) DO UPDATE SET price_minor = excluded.price_minor, currency = excluded.currency,
          version = greatest(intent.version + 1, excluded.version)
        RETURNING * INTO written;
        INSERT INTO outbox (topic, key, version, payload)
        VALUES ('${priceIntentTopic.name}', id::text, written.version,
          '\\x0a24'::bytea || convert_to(id::text, 'UTF8') || '\\x10' || protobuf_varint(written.version)
          || coalesce('\\x18'::bytea || protobuf_varint(minor), '')
          || '\\x2203'::bytea || convert_to(written.currency, 'UTF8'))
        ON CONFLICT (topic, key) DO UPDATE SET version = excluded.version, payload = excluded.payload;
      END $$`);
    // Each of the two triggers ignores what the other writes.
    await runner.query(`
      CREATE FUNCTION intend_changed_price() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF pg_trigger_depth() = 1 THEN
          PERFORM intend_price(NEW.id, NEW.subscription_price_minor, NEW.subscription_currency, NEW.version);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE FUNCTION tell_intended_price() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF pg_trigger_depth() = 1 THEN
          UPDATE users SET subscription_price_minor = NEW.price_minor, subscription_currency = NEW.currency
          WHERE id = NEW.user_id AND (subscription_price_minor, subscription_currency)
            IS DISTINCT FROM (NEW.price_minor, NEW.currency);
        END IF;
        RETURN NULL;
      END $$`);
  }
}

/** Hands over the prices that are there. */
export class FillPriceIntents1764900000001 implements MigrationInterface {
  readonly name = 'FillPriceIntents1764900000001';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inBatches(
      runner,
      'users',
      `SELECT intend_price(id, subscription_price_minor, subscription_currency, version) FROM batch
       WHERE (subscription_price_minor IS NOT NULL OR subscription_currency IS NOT NULL)
         AND NOT EXISTS (SELECT FROM price_intents WHERE user_id = batch.id)
         AND NOT EXISTS (SELECT FROM known_prices WHERE coach_id = batch.id)`,
    );
  }

  async down(): Promise<void> {}
}

/** Removes what carries prices from and to the version before. */
export async function dropPriceTriggers(runner: QueryRunner): Promise<void> {
  await runner.query('DROP TRIGGER users_price_changed ON users');
  await runner.query('DROP TRIGGER price_intents_told ON price_intents');
  await runner.query(
    'DROP FUNCTION intend_changed_price, tell_intended_price, intend_price, protobuf_varint',
  );
}
