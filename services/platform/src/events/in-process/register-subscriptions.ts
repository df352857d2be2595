import type { Pool } from 'pg';
import { inTransaction } from './in-transaction.js';
import { renameGroups } from './renamed-groups.js';
import type { SkippedHistory } from '../skipped-history.js';

export interface Subscription {
  group: string;
  topic: string;
  reaction: boolean;
  /** See `Consumer.formerGroups`. */
  formerGroups: readonly string[];
}

/**
 * Stores `subscriptions`, which are all those of their groups, under their present names. New projections get all
 * retained events and count as not filled, new reactions get none. Removes deliveries of topics that these groups no longer consume.
 * Resolves to the new reactions with what they skip.
 */
export async function registerSubscriptions(
  pool: Pool,
  subscriptions: readonly Subscription[],
  now: Date,
): Promise<SkippedHistory[]> {
  const groups = subscriptions.map(({ group }) => group);
  const topics = subscriptions.map(({ topic }) => topic);
  const reactions = subscriptions.map(({ reaction }) => reaction);
  return inTransaction(pool, async (client) => {
    // No publish may run between the read of the subscriptions and the delivery of the retained events.
    await client.query('LOCK TABLE bus_events IN SHARE ROW EXCLUSIVE MODE');
    await renameGroups(client, subscriptions);
    await client.query(
      `WITH gone AS (
         DELETE FROM bus_subscriptions s WHERE grp = ANY($1::text[]) AND NOT EXISTS (
           SELECT FROM unnest($1::text[], $2::text[]) AS mine (grp, topic)
           WHERE mine.grp = s.grp AND mine.topic = s.topic)
         RETURNING grp, topic)
       DELETE FROM bus_deliveries d USING gone, bus_events e
       WHERE d.grp = gone.grp AND e.seq = d.seq AND e.topic = gone.topic`,
      [groups, topics],
    );
    const { rows } = await client.query<SkippedHistory>(
      `WITH mine AS (
         INSERT INTO bus_subscriptions AS s (grp, topic, reaction, seen_at, filled)
         SELECT grp, topic, reaction, $4, reaction FROM unnest($1::text[], $2::text[], $3::boolean[]) AS m (grp, topic, reaction)
         ON CONFLICT (grp, topic) DO UPDATE SET reaction = excluded.reaction, seen_at = excluded.seen_at
         RETURNING grp, topic, reaction, (xmax = 0) AS is_new),
       filling AS (
         INSERT INTO bus_deliveries (seq, grp, due_at)
         SELECT e.seq, mine.grp, now() FROM mine JOIN bus_events e USING (topic)
         WHERE mine.is_new AND NOT mine.reaction)
       SELECT grp AS "group", topic,
         (SELECT count(*)::int FROM bus_events e WHERE e.topic = mine.topic AND NOT e.republished) AS skipped
       FROM mine WHERE is_new AND reaction ORDER BY grp, topic`,
      [groups, topics, reactions, now],
    );
    return rows;
  });
}
