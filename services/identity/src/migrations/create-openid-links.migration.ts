import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which account a user of an OpenID provider signs in to (ACCT-28). */
export class CreateOpenidLinks1765200000001 implements MigrationInterface {
  readonly name = 'CreateOpenidLinks1765200000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE openid_links (
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        email text NOT NULL,
        email_verified boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (issuer, subject)
      )`);
    await runner.query('CREATE INDEX openid_links_user_id_idx ON openid_links (user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE openid_links');
  }
}
