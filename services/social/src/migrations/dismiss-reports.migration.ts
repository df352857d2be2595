import type { MigrationInterface, QueryRunner } from 'typeorm';

const OUTCOMES = ['hidden', 'shown', 'suspended', 'reinstated', 'dismissed'];

/** The decision that dismisses all reports of one reporter (PEOPLE-42), which are found by an index. */
export class DismissReports1765100000000 implements MigrationInterface {
  readonly name = 'DismissReports1765100000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.allowOutcomes(runner, [...OUTCOMES, 'reports-dismissed']);
    await runner.query(
      'CREATE INDEX reports_reporter_idx ON reports (reporter_id, id) WHERE resolved_at IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX reports_reporter_idx');
    await runner.query("DELETE FROM moderation_decisions WHERE outcome = 'reports-dismissed'");
    await this.allowOutcomes(runner, OUTCOMES);
  }

  private async allowOutcomes(runner: QueryRunner, outcomes: readonly string[]): Promise<void> {
    const list = outcomes.map((outcome) => `'${outcome}'`).join(', ');
    await runner.query(`
      ALTER TABLE moderation_decisions
        DROP CONSTRAINT moderation_decisions_outcome_check,
        ADD CONSTRAINT moderation_decisions_outcome_check CHECK (outcome IN (${list}))`);
  }
}
