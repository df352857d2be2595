import { createIndexOnline } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A refresh supersedes the tokens of older generations; the others of its family, which are most, are not read for it. */
export class IndexLiveTokens1764800000000 implements MigrationInterface {
  readonly name = 'IndexLiveTokens1764800000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexOnline(
      runner,
      'refresh_tokens_live_idx',
      'refresh_tokens (session_id, generation) WHERE superseded_at IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX refresh_tokens_live_idx');
  }
}
