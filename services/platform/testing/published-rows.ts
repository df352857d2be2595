import { entityOf } from '@pulso/contracts/topics/topic';
import { DataSource, type EntityMetadata } from 'typeorm';
import type { OwnedEntity, PostgresStore } from '../src/postgres/postgres-store.js';
import type { StoreTarget } from '../src/service/store.js';

/**
 * Makes a database refuse the commit of every transaction that changed the version of a published entity's row, or
 * inserted one, without publishing the version that the row then has: neither an older nor a newer one may wait in the
 * outbox. Every suite then detects a write that does not publish, also in plain SQL. The rows' primary key must be the topic's key, in its order.
 */
export async function refuseUnpublishedRows(store: PostgresStore, target: StoreTarget): Promise<void> {
  const dataSource = await new DataSource(store.dataSourceOptions(target)).initialize();
  try {
    await dataSource.query(`
      CREATE FUNCTION refuse_untold() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        entity_key text;
        row_filter text;
        committed bigint;
      BEGIN
        IF current_setting('pulso.tampering', true) = 'on' THEN RETURN NULL; END IF;
        SELECT string_agg(to_jsonb(NEW) ->> part.name, '_' ORDER BY part.position),
            string_agg(format('%1$I = ($1).%1$I', part.name), ' AND ') INTO entity_key, row_filter
          FROM unnest(string_to_array(TG_ARGV[1], ',')) WITH ORDINALITY AS part (name, position);
        EXECUTE format('SELECT version FROM %I WHERE %s', TG_TABLE_NAME, row_filter) INTO committed USING NEW;
        IF committed IS NOT NULL AND NOT EXISTS (SELECT FROM outbox
          WHERE topic = TG_ARGV[0] AND key = entity_key AND version = committed) THEN
          RAISE EXCEPTION '% % version % was written without Transaction.publish', TG_ARGV[0], entity_key, committed;
        END IF;
        RETURN NULL;
      END $$`);
    for (const owned of store.owned) await addTriggers(dataSource, owned);
  } finally {
    await dataSource.destroy();
  }
}

async function addTriggers(dataSource: DataSource, { topic, entity }: OwnedEntity): Promise<void> {
  const metadata = dataSource.getMetadata(entity);
  const columns = metadata.primaryColumns.map(({ databaseName }) => databaseName);
  if (columns.length !== topic.keyLength)
    throw new Error(`${topic.name}: its key is not ${columns.join(', ')}`);
  const call = `EXECUTE FUNCTION refuse_untold('${topic.name}', '${columns.join(',')}')`;
  // A row can have a state on each of several topics.
  const trigger = (name: string, event: string) =>
    `CREATE CONSTRAINT TRIGGER "${name}_${entityOf(topic)}" AFTER ${event} ON ${tableOf(metadata)} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW`;
  await dataSource.query(`${trigger('untold_insert', 'INSERT')} ${call}`);
  await dataSource.query(
    `${trigger('untold_update', 'UPDATE')} WHEN (OLD.version IS DISTINCT FROM NEW.version) ${call}`,
  );
}

const tableOf = ({ tableName }: EntityMetadata) => `"${tableName}"`;
