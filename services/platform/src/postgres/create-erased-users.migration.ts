import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks of users whose accounts are erased. Every service that holds something of users has it. */
export class CreateErasedUsers1766600000000 implements MigrationInterface {
  readonly name = 'CreateErasedUsers1766600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erased_users (
        user_id uuid PRIMARY KEY,
        asked bigint NOT NULL,
        looks smallint NOT NULL DEFAULT 0,
        due_at timestamptz(3),
        erased_at timestamptz(3),
        marked_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        version bigint NOT NULL
      )`);
    await runner.query('CREATE INDEX erased_users_marked_at_idx ON erased_users (marked_at)');
    await runner.query(
      'CREATE INDEX erased_users_due_at_idx ON erased_users (due_at) WHERE due_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erased_users');
  }
}
