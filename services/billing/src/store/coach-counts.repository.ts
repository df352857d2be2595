import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { NIL_ID } from '@pulso/platform/ids/uuid-v7';
import type { Change } from './subscription.repository.js';

/** A coach whose kept counts differ from the rows. */
export interface WrongCount {
  coachId: string;
  kept: { live: number; ever: number };
  counted: { live: number; ever: number };
}

/** How many subscribe to each coach and ever did; `SubscriptionRepository` keeps it with each write (SUBS-11). */
@Injectable()
export class CoachCountsRepository {
  /**
   * Counts the subscribers of the next `limit` coaches after `last`, by id. Returns those whose kept counts are wrong, and
   * with `correct` stores the right ones: their rows are locked first, so no write comes between.
   */
  async recount(
    last: string | undefined,
    limit: number,
    correct: boolean,
    { manager }: Transaction,
  ): Promise<{ last: string | undefined; coaches: number; wrong: WrongCount[] }> {
    // One coach may have a million subscribers.
    await manager.query('SET LOCAL statement_timeout = 0');
    const coaches = await manager.query<{ id: string }[]>(
      `SELECT id FROM (
         (SELECT DISTINCT coach_id AS id FROM subscriptions WHERE coach_id > $1 AND ever_active
          ORDER BY coach_id LIMIT $2)
         UNION (SELECT coach_id FROM coach_counts WHERE coach_id > $1 ORDER BY coach_id LIMIT $2)
       ) AS coach ORDER BY id LIMIT $2`,
      [last ?? NIL_ID, limit],
    );
    const ids = coaches.map(({ id }) => id);
    if (correct) {
      await manager.query(
        `INSERT INTO coach_counts (coach_id, live_count, ever_count) SELECT id, 0, 0 FROM unnest($1::uuid[]) AS id
         ORDER BY id ON CONFLICT DO NOTHING`,
        [ids],
      );
      await manager.query(
        'SELECT FROM coach_counts WHERE coach_id = ANY ($1::uuid[]) ORDER BY coach_id FOR UPDATE',
        [ids],
      );
    }
    const wrong = await this.compare(ids, { manager });
    for (const { coachId, counted } of correct ? wrong : []) {
      await manager.query('UPDATE coach_counts SET live_count = $2, ever_count = $3 WHERE coach_id = $1', [
        coachId,
        counted.live,
        counted.ever,
      ]);
    }
    return { last: ids.at(-1), coaches: ids.length, wrong };
  }

  private async compare(
    ids: readonly string[],
    { manager }: Pick<Transaction, 'manager'>,
  ): Promise<WrongCount[]> {
    const rows = await manager.query<CountRow[]>(
      `SELECT coach.id, coalesce(kept.live_count, 0) AS "keptLive", coalesce(kept.ever_count, 0) AS "keptEver",
         counted.live, counted.ever
       FROM unnest($1::uuid[]) AS coach (id)
       LEFT JOIN coach_counts kept ON kept.coach_id = coach.id
       CROSS JOIN LATERAL (
         SELECT count(*) FILTER (WHERE gives_access)::int AS live, count(*)::int AS ever
         FROM subscriptions WHERE coach_id = coach.id AND ever_active) AS counted
       WHERE (coalesce(kept.live_count, 0), coalesce(kept.ever_count, 0)) <> (counted.live, counted.ever)
       ORDER BY coach.id`,
      [ids],
    );
    return rows.map(({ id, keptLive, keptEver, live, ever }) => ({
      coachId: id,
      kept: { live: keptLive, ever: keptEver },
      counted: { live, ever },
    }));
  }
}

/** What changes of subscriptions add to the counts of their coaches, without those that they leave as they are. */
export function countChanges(changes: readonly Change[]): { coach_id: string; live: number; ever: number }[] {
  const byCoach = new Map<string, { live: number; ever: number }>();
  for (const { before, after } of changes) {
    const sum = byCoach.get(after.coachId) ?? { live: 0, ever: 0 };
    sum.live += Number(after.givesAccess) - Number(before?.givesAccess ?? false);
    sum.ever += Number(after.everActive) - Number(before?.everActive ?? false);
    byCoach.set(after.coachId, sum);
  }
  return [...byCoach].flatMap(([coachId, sum]) =>
    sum.live === 0 && sum.ever === 0 ? [] : [{ coach_id: coachId, ...sum }],
  );
}

interface CountRow {
  id: string;
  keptLive: number;
  keptEver: number;
  live: number;
  ever: number;
}
