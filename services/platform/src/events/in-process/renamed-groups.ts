import type { PoolClient } from 'pg';
import type { Subscription } from './register-subscriptions.js';

/**
 * Gives new groups the position of their former name that ran last, so that they do not get all retained events again;
 * see `Consumer.formerGroups`. Dead letters of all former names become the group's own.
 */
export async function renameGroups(
  client: PoolClient,
  subscriptions: readonly Pick<Subscription, 'group' | 'topic' | 'formerGroups'>[],
): Promise<void> {
  const former = subscriptions.flatMap(({ group, topic, formerGroups }) =>
    formerGroups.map((old) => ({ group, topic, old })),
  );
  if (former.length === 0) return;
  await client.query(
    `WITH declared AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS declared (new_grp, topic, old_grp)),
     renamed AS (
       SELECT DISTINCT ON (new_grp, topic) new_grp, topic, old_grp
       FROM declared JOIN bus_subscriptions s USING (topic)
       WHERE s.grp = old_grp
         AND NOT EXISTS (SELECT FROM bus_subscriptions mine WHERE mine.grp = new_grp AND mine.topic = declared.topic)
       ORDER BY new_grp, topic, s.seen_at DESC),
     subscriptions AS (
       UPDATE bus_subscriptions s SET grp = new_grp FROM renamed WHERE s.grp = old_grp AND s.topic = renamed.topic),
     deliveries AS (
       UPDATE bus_deliveries d SET grp = new_grp FROM renamed JOIN bus_events e USING (topic)
       WHERE d.grp = old_grp AND d.seq = e.seq
         AND NOT EXISTS (SELECT FROM bus_deliveries other WHERE other.seq = d.seq AND other.grp = new_grp)),
     first_letters AS (
       SELECT DISTINCT ON (l.seq, new_grp) l.seq, l.grp AS old_grp, new_grp
       FROM declared JOIN bus_events e USING (topic) JOIN bus_dead_letters l ON l.seq = e.seq AND l.grp = old_grp
       WHERE NOT EXISTS (SELECT FROM bus_dead_letters other WHERE other.seq = l.seq AND other.grp = new_grp)
       ORDER BY l.seq, new_grp, l.failed_at)
     UPDATE bus_dead_letters l SET grp = new_grp FROM first_letters f WHERE l.seq = f.seq AND l.grp = f.old_grp`,
    [former.map(({ group }) => group), former.map(({ topic }) => topic), former.map(({ old }) => old)],
  );
}
