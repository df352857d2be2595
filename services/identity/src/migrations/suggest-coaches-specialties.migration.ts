import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only the specialties of coaches are suggested; those of others are kept with their accounts. */
export class SuggestCoachesSpecialties1764300000001 implements MigrationInterface {
  readonly name = 'SuggestCoachesSpecialties1764300000001';

  async up(runner: QueryRunner): Promise<void> {
    await this.keep(runner, "NEW.status = 'active' AND NEW.is_coach");
    await this.onChange(runner, 'OLD.is_coach <> NEW.is_coach OR OLD.status <> NEW.status');
    await runner.query('DELETE FROM user_specialties USING users WHERE users.id = user_id AND NOT is_coach');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.keep(runner, "NEW.status = 'active'");
    await this.onChange(runner, 'OLD.status <> NEW.status');
    await runner.query(`
      INSERT INTO user_specialties (user_id, specialty)
      SELECT DISTINCT users.id, specialty FROM users, unnest(specialties) AS specialty
      WHERE status = 'active' AND NOT is_coach`);
  }

  private async keep(runner: QueryRunner, suggested: string): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION keep_user_specialties() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM user_specialties WHERE user_id = NEW.id;
        INSERT INTO user_specialties (user_id, specialty)
        SELECT DISTINCT NEW.id, specialty FROM unnest(NEW.specialties) AS specialty WHERE ${suggested};
        RETURN NULL;
      END $$`);
  }

  private async onChange(runner: QueryRunner, change: string): Promise<void> {
    await runner.query('DROP TRIGGER users_specialties_changed ON users');
    await runner.query(`
      CREATE TRIGGER users_specialties_changed AFTER UPDATE ON users
        FOR EACH ROW WHEN (OLD.specialties <> NEW.specialties OR ${change})
        EXECUTE FUNCTION keep_user_specialties()`);
  }
}
