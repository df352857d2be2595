import type { MigrationInterface, QueryRunner } from 'typeorm';

const REASONS = `('spam', 'harassment', 'nudity', 'danger', 'other')`;
const TYPES = `('user', 'post', 'comment', 'message')`;

/** Decisions about comments, the reason of every decision, and the record of all decisions. */
export class ModerateComments1764300000000 implements MigrationInterface {
  readonly name = 'ModerateComments1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE comment_hidings (
        comment_id uuid PRIMARY KEY,
        active boolean NOT NULL,
        decided_by text NOT NULL,
        decided_at timestamptz(3) NOT NULL,
        version bigint NOT NULL
      )`);
    for (const table of ['post_hidings', 'comment_hidings', 'user_suspensions']) {
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN reason text NOT NULL DEFAULT 'other' CHECK (reason IN ${REASONS})`,
      );
    }
    await this.allowResolutions(runner, ['dismissed', 'post-hidden', 'comment-hidden', 'user-suspended']);
    await runner.query(`
      CREATE TABLE moderation_decisions (
        id uuid PRIMARY KEY,
        subject_type text NOT NULL CHECK (subject_type IN ${TYPES}),
        subject_id uuid NOT NULL,
        outcome text NOT NULL CHECK (outcome IN ('hidden', 'shown', 'suspended', 'reinstated', 'dismissed')),
        reason text NOT NULL CHECK (reason IN ${REASONS}),
        note text NOT NULL,
        decided_by text NOT NULL,
        decided_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX moderation_decisions_subject ON moderation_decisions (subject_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE moderation_decisions, comment_hidings');
    await runner.query(`DELETE FROM reports WHERE resolution = 'comment-hidden'`);
    await this.allowResolutions(runner, ['dismissed', 'post-hidden', 'user-suspended']);
    for (const table of ['post_hidings', 'user_suspensions'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN reason`);
  }

  private async allowResolutions(runner: QueryRunner, resolutions: readonly string[]): Promise<void> {
    const list = resolutions.map((resolution) => `'${resolution}'`).join(', ');
    await runner.query(`
      ALTER TABLE reports
        DROP CONSTRAINT reports_resolution_check,
        ADD CONSTRAINT reports_resolution_check CHECK (resolution IN (${list}))`);
  }
}
