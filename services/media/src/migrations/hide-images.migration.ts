import { addRebuildColumns } from '@pulso/platform/postgres/create-rebuilds.migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The projection of moderators' decisions about posts, and how many claims an asset has had since it was free. */
export class HideImages1764800000000 implements MigrationInterface {
  readonly name = 'HideImages1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE known_hidden_posts (
        post_id uuid PRIMARY KEY,
        hidden boolean NOT NULL,
        version bigint NOT NULL
      )`);
    await addRebuildColumns(runner, 'known_hidden_posts');
    // 0: claimed before this was counted, so nobody gives the claim back.
    await runner.query('ALTER TABLE assets ADD claims integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE assets DROP claims');
    await runner.query('DROP TABLE known_hidden_posts');
  }
}
