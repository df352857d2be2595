import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who stores bytes of an upload, and until when they are believed to, so that its progress is told after the last of them. */
export class MarkWriters1766700000002 implements MigrationInterface {
  readonly name = 'MarkWriters1766700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads ADD writer uuid, ADD writing_until timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads DROP writer, DROP writing_until');
  }
}
