import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of `PostgresStartPoints`. */
export class CreateStartPoints1764600000000 implements MigrationInterface {
  readonly name = 'CreateStartPoints1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE start_points (
        grp text NOT NULL,
        topic text NOT NULL,
        offsets bigint[] NOT NULL,
        PRIMARY KEY (grp, topic)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE start_points');
  }
}
