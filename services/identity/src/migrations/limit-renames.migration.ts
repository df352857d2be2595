import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When accounts were renamed, as far back as the limit on renames looks. */
export class LimitRenames1764300000000 implements MigrationInterface {
  readonly name = 'LimitRenames1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE renames (
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        renamed_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX renames_user_id_idx ON renames (user_id, renamed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE renames');
  }
}
