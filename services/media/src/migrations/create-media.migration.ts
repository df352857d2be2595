import { addRebuildColumns } from '@pulso/platform/postgres/create-rebuilds.migration';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Assets, publications, and the projections of posts and users. */
export class CreateMedia1764700000000 implements MigrationInterface {
  readonly name = 'CreateMedia1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    // `bytes` is a reservation while the asset is received. `expires_at` is when its files are removed: never while it is
    // attached.
    await runner.query(`
      CREATE TABLE assets (
        id uuid PRIMARY KEY,
        owner_id uuid NOT NULL,
        state text NOT NULL CHECK (state IN ('receiving', 'ready', 'detached', 'removing')),
        purpose text CHECK (purpose IN ('post', 'avatar')),
        bytes integer NOT NULL CHECK (bytes >= 0),
        width integer NOT NULL DEFAULT 0,
        height integer NOT NULL DEFAULT 0,
        blurhash text NOT NULL DEFAULT '',
        original_name text NOT NULL DEFAULT '',
        original_size bigint NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3),
        claimed_for uuid,
        claimed_until timestamptz(3),
        attached_to uuid,
        epoch integer NOT NULL DEFAULT 0,
        CHECK (state = 'receiving' OR purpose IS NOT NULL OR state = 'removing'),
        CHECK (state <> 'ready' OR attached_to IS NOT NULL OR expires_at IS NOT NULL)
      )`);
    await runner.query(`
      CREATE INDEX assets_storage_idx ON assets (owner_id) INCLUDE (bytes) WHERE state IN ('receiving', 'ready')`);
    await runner.query('CREATE INDEX assets_expiry_idx ON assets (expires_at) WHERE expires_at IS NOT NULL');
    await runner.query(
      'CREATE INDEX assets_attached_idx ON assets (attached_to) WHERE attached_to IS NOT NULL',
    );
    await runner.query(
      'CREATE INDEX assets_claimed_idx ON assets (claimed_for) WHERE claimed_for IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE publications (
        owner_id uuid NOT NULL,
        key text NOT NULL,
        post_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (owner_id, key)
      )`);
    await runner.query('CREATE INDEX publications_age_idx ON publications (created_at)');
    await runner.query(`
      CREATE TABLE known_posts (
        id uuid PRIMARY KEY,
        author_id uuid NOT NULL,
        media_ids text[] NOT NULL,
        media_epoch integer NOT NULL,
        deleted boolean NOT NULL,
        version bigint NOT NULL
      )`);
    await addRebuildColumns(runner, 'known_posts');
    await runner.query(`
      CREATE TABLE known_users (
        id uuid PRIMARY KEY,
        status text NOT NULL CHECK (status IN ('active', 'suspended', 'deleted')),
        profile_image_id text NOT NULL,
        version bigint NOT NULL
      )`);
    await addRebuildColumns(runner, 'known_users');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE known_users, known_posts, publications, assets');
  }
}
