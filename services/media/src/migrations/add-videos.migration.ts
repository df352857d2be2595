import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Resumable uploads (MEDIA-9), and what becomes of uploaded videos (MEDIA-11). */
export class AddVideos1766400000000 implements MigrationInterface {
  readonly name = 'AddVideos1766400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE assets ADD kind text NOT NULL DEFAULT 'image' CHECK (kind IN ('image', 'video'))`);
    // One for each asset that is still received in pieces. `received`: the bytes of its pieces, where the client goes on; `key`: the
    // Idempotency-Key of its creation.
    await runner.query(`
      CREATE TABLE uploads (
        id uuid PRIMARY KEY REFERENCES assets (id) ON DELETE CASCADE,
        length integer NOT NULL CHECK (length > 0),
        received integer NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND length),
        name text NOT NULL,
        type text NOT NULL,
        metadata text NOT NULL,
        key text
      )`);
    await runner.query(`
      CREATE TABLE upload_pieces (
        upload_id uuid NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
        start integer NOT NULL CHECK (start >= 0),
        bytes integer NOT NULL CHECK (bytes > 0),
        object_key text NOT NULL,
        PRIMARY KEY (upload_id, start)
      )`);
    // One for each whole upload. `due_at` is when a worker is to take it, null once it is ready or has failed. A row outlives its
    // asset, as a tombstone, for as long as its events do.
    await runner.query(`
      CREATE TABLE videos (
        id uuid PRIMARY KEY,
        owner_id uuid NOT NULL,
        status text NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
        problem text NOT NULL DEFAULT '',
        name text NOT NULL,
        type text NOT NULL,
        bytes integer NOT NULL CHECK (bytes >= 0),
        duration_ms integer NOT NULL DEFAULT 0,
        width integer NOT NULL DEFAULT 0,
        height integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL,
        due_at timestamptz(3),
        attempts integer NOT NULL DEFAULT 0,
        deaths integer NOT NULL DEFAULT 0,
        reason text NOT NULL DEFAULT '',
        deleted boolean NOT NULL DEFAULT false,
        version bigint NOT NULL,
        CHECK ((status = 'processing' AND NOT deleted) = (due_at IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX videos_due_idx ON videos (due_at) WHERE due_at IS NOT NULL');
    await runner.query('CREATE INDEX videos_deleted_idx ON videos (version) WHERE deleted');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE videos, upload_pieces, uploads');
    await runner.query('ALTER TABLE assets DROP kind');
  }
}
