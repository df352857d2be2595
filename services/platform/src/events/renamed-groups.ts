import type { PoolClient } from 'pg';

/**
 * Renames the groups of an earlier version, so that a projection's group keeps its position and its dead letters and does
 * not get all retained events again. A service has one projection of a topic at most: so another group of the same
 * service (the name's part before the dot) with the same topic, which no consumer has, is that projection's former one.
 * `groups` and `topics` are those of all consumers of these services; reactions' groups keep their names for ever.
 */
export async function renameGroups(
  client: PoolClient,
  { groups, topics, reactions }: Readonly<Record<'groups' | 'topics', string[]>> & { reactions: boolean[] },
): Promise<void> {
  await client.query(
    `WITH renamed AS (
       SELECT DISTINCT ON (mine.grp, topic) former.grp AS old_grp, mine.grp AS new_grp, topic
       FROM bus_subscriptions former
       JOIN unnest($1::text[], $2::text[], $3::boolean[]) AS mine (grp, topic, reaction) USING (topic, reaction)
       WHERE NOT reaction AND former.grp <> ALL($1::text[])
         AND split_part(former.grp, '.', 1) = split_part(mine.grp, '.', 1)
         AND NOT EXISTS (SELECT FROM bus_subscriptions s WHERE s.grp = mine.grp AND s.topic = mine.topic)
       ORDER BY mine.grp, topic, former.seen_at DESC),
     subscriptions AS (
       UPDATE bus_subscriptions s SET grp = new_grp FROM renamed WHERE s.grp = old_grp AND s.topic = renamed.topic),
     deliveries AS (
       UPDATE bus_deliveries d SET grp = new_grp FROM renamed JOIN bus_events e USING (topic)
       WHERE d.grp = old_grp AND d.seq = e.seq
         AND NOT EXISTS (SELECT FROM bus_deliveries other WHERE other.seq = d.seq AND other.grp = new_grp))
     UPDATE bus_dead_letters l SET grp = new_grp FROM renamed JOIN bus_events e USING (topic)
     WHERE l.grp = old_grp AND l.seq = e.seq
       AND NOT EXISTS (SELECT FROM bus_dead_letters other WHERE other.seq = l.seq AND other.grp = new_grp)`,
    [groups, topics, reactions],
  );
}
