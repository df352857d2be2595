import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of `ForeignCalls`. */
export class CreateForeignCalls1766100000000 implements MigrationInterface {
  readonly name = 'CreateForeignCalls1766100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE foreign_calls (
        kind text NOT NULL,
        caller text NOT NULL,
        key text NOT NULL,
        sent_key text NOT NULL,
        request jsonb NOT NULL,
        -- Not jsonb, which would bring the parameters into another order.
        rendered json NOT NULL,
        api_version text NOT NULL,
        state text NOT NULL CHECK (state IN ('pending', 'done', 'refused', 'not-executed', 'abandoned')),
        -- The outcome of a call that is done, the code and the message of a refusal.
        ending jsonb,
        -- Made until its outcome is known; any other call may be closed as not executed.
        enqueued boolean NOT NULL,
        attempts integer NOT NULL,
        running boolean NOT NULL,
        -- When it may be taken; while it is running, when its lease ends.
        due_at timestamptz(3) NOT NULL,
        tried_at timestamptz(3),
        -- Since when the foreign system may have executed it; null while it certainly has not.
        doubtful_since timestamptz(3),
        last_error text,
        settled_by text,
        settled_because text,
        created_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        PRIMARY KEY (kind, caller, key)
      )`);
    await runner.query(
      "CREATE INDEX foreign_calls_due_idx ON foreign_calls (kind, due_at) WHERE state IN ('pending', 'abandoned')",
    );
    await runner.query('CREATE INDEX foreign_calls_ended_at_idx ON foreign_calls (ended_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE foreign_calls');
  }
}
