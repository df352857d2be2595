import type { QueryRunner } from 'typeorm';

const triggerOf = (table: string) => `${table}_append_only`;

/**
 * For migrations: the database refuses statements that change or remove rows of this table from now on. That stops mistakes, and whoever can
 * have a service run a statement. It does not stop who has the service's login to the database: that role owns the table, and can drop the
 * trigger or the table. Safe to repeat.
 */
export async function makeAppendOnly(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% takes new rows alone', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`);
  await runner.query(`
    CREATE OR REPLACE TRIGGER ${triggerOf(table)} BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
}

/** Takes it back; the function stays, for other tables. */
export async function allowChanges(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`DROP TRIGGER ${triggerOf(table)} ON ${table}`);
}
