import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Archives of all that is held of a user (ACCT-45). */
export class AddArchives1766900000000 implements MigrationInterface {
  readonly name = 'AddArchives1766900000000';

  async up(runner: QueryRunner): Promise<void> {
    // `due_at` is when something is to be done with it: it is built, or removed. `claim` names the attempt to build it, and so its
    // object; while it is built, `due_at` is when others may take it.
    await runner.query(`
      CREATE TABLE archives (
        id uuid PRIMARY KEY,
        owner_id uuid NOT NULL,
        state text NOT NULL CHECK (state IN ('receiving', 'building', 'ready', 'failed', 'removing')),
        document_bytes bigint NOT NULL DEFAULT 0 CHECK (document_bytes >= 0),
        done_bytes bigint NOT NULL DEFAULT 0 CHECK (done_bytes >= 0),
        total_bytes bigint NOT NULL DEFAULT 0 CHECK (total_bytes >= done_bytes),
        requested_at timestamptz(3) NOT NULL,
        ready_at timestamptz(3),
        due_at timestamptz(3) NOT NULL,
        claim uuid,
        attempts integer NOT NULL DEFAULT 0,
        reason text NOT NULL DEFAULT '',
        CHECK (state <> 'ready' OR (ready_at IS NOT NULL AND claim IS NOT NULL))
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX archives_live_idx ON archives (owner_id) WHERE state IN ('building', 'ready', 'failed')`);
    await runner.query('CREATE INDEX archives_owner_idx ON archives (owner_id)');
    await runner.query('CREATE INDEX archives_due_idx ON archives (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE archives');
  }
}
