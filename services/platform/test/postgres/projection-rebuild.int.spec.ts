import { describeRebuilds } from '../events/rebuild-worlds.js';
import { aProjectionDatabase, KnownBlocks } from './block-rows.js';

let database: Awaited<ReturnType<typeof aProjectionDatabase>>;
beforeAll(async () => (database = await aProjectionDatabase()));
beforeEach(() => database.clear());
afterAll(() => database?.drop());

describe('rows that a republication rebuilds', () => {
  describeRebuilds({
    partitions: 2,
    worlds: 25,
    aReplica: () => new KnownBlocks(database.replica()),
    async spoil(keys, dice) {
      for (const key of keys) {
        const parts = key.split('_');
        const where = 'WHERE blocker_id = $1 AND blocked_id = $2';
        const spoilt = [
          `DELETE FROM known_blocks ${where}`,
          `UPDATE known_blocks SET active = NOT active ${where}`,
          `UPDATE known_blocks SET version = version + 1, active = true ${where}`,
          `INSERT INTO known_blocks VALUES ($1, $2, true, 9000000000000000)
           ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET version = excluded.version`,
        ][dice.below(6)];
        if (spoilt) await database.pool.query(spoilt, parts);
        if (dice.chance(0.2)) await database.pool.query('DELETE FROM effects WHERE name = $1', [key]);
      }
    },
    async expectEqual(owned) {
      const wanted = [...owned].sort(([a], [b]) => (a < b ? -1 : 1));
      const byName = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
      expect((await database.rows('known_blocks')).sort(byName)).toEqual(
        wanted
          .map(([, { blockerId, blockedId, active, version }]) => ({
            active,
            version,
            blocked_id: blockedId,
            blocker_id: blockerId,
          }))
          .sort(byName),
      );
      const effects = wanted.map(([name, { active }]) => ({ name, active }));
      expect((await database.rows('effects')).sort(byName)).toEqual(effects.sort(byName));
    },
  });
});
