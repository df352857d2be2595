import { createIndexOnline, inBatches } from '@pulso/platform/postgres/online-migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As `newUnsubscribeToken` makes them, with the randomness of a version 4 uuid. */
const RANDOM_TOKEN = `translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_')`;

/** The language of a user's mails, which of them they want, and the token that switches these off (MAIL-6). */
export class AddMailSettings1764700000000 implements MigrationInterface {
  readonly name = 'AddMailSettings1764700000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN IF NOT EXISTS language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'es')),
        ADD COLUMN IF NOT EXISTS wants_subscription_mails boolean NOT NULL DEFAULT true,
        ADD COLUMN IF NOT EXISTS wants_security_mails boolean NOT NULL DEFAULT true,
        ADD COLUMN IF NOT EXISTS unsubscribe_token text`);
    // For accounts that the version before creates during the rollout. Given with the column, it would rewrite the table.
    await runner.query(`ALTER TABLE users ALTER unsubscribe_token SET DEFAULT ${RANDOM_TOKEN}`);
    await inBatches(
      runner,
      'users',
      `UPDATE users SET unsubscribe_token = ${RANDOM_TOKEN} FROM batch
       WHERE users.id = batch.id AND batch.unsubscribe_token IS NULL`,
    );
    await createIndexOnline(runner, 'users_unsubscribe_token_key', 'users (unsubscribe_token)', {
      unique: true,
    });
    await runner.query('ALTER TABLE users ALTER unsubscribe_token SET NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users DROP COLUMN language, DROP COLUMN wants_subscription_mails,
        DROP COLUMN wants_security_mails, DROP COLUMN unsubscribe_token`);
  }
}
