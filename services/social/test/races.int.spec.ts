import { blockTopic, followTopic } from '@pulso/contracts/topics/social';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import type { DomainError } from '@pulso/platform/errors/domain-error';
import { until } from '@pulso/platform/testing/until';
import { type Person, Social, outcome, seeded, summaryOf, tally } from './start.js';

let social: Social;
beforeAll(async () => (social = await Social.start()));
afterAll(() => social?.stop());

/** Runs `tasks` with this many concurrent clients. */
async function byClients(clients: number, tasks: (() => Promise<void>)[]): Promise<void> {
  const queue = tasks.values();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const task of queue) await task();
    }),
  );
}

interface Acknowledged {
  active: boolean;
  version: number;
  startedAt: number;
  endedAt: number;
}

// Rule: PEOPLE-18
describe('concurrent follows and unfollows', () => {
  it('end in the last acknowledged write of each pair, here and in every projection', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => social.person()));
    const pairs = people.flatMap((one) =>
      people.filter((other) => other !== one).map((other) => [one, other]),
    );
    const random = seeded(4);
    const acknowledged = new Map<string, Acknowledged[]>();
    let step = 0;
    const tasks = Array.from({ length: 1000 }, () => {
      const [follower, target] = pairs[Math.floor(random() * pairs.length)] as [Person, Person];
      const active = random() < 0.5;
      return async () => {
        const wrote: ConsistencyToken[] = [];
        const startedAt = (step += 1);
        const result = await (active
          ? social.follow(follower, target, wrote)
          : social.unfollow(follower, target, wrote));
        expect(result.following).toBe(active);
        const key = `${follower.id}_${target.id}`;
        expect(wrote).toHaveLength(1);
        const write = { active, version: wrote[0]!.version, startedAt, endedAt: (step += 1) };
        acknowledged.set(key, [...(acknowledged.get(key) ?? []), write]);
      };
    });
    await byClients(40, tasks);
    await social.drainEvents();

    const rows = await social.rows<{ key: string; active: boolean; version: string }>(
      "SELECT follower_id || '_' || target_id AS key, deleted_at IS NULL AS active, version FROM follows",
    );
    const stored = new Map(
      rows.map(({ key, active, version }) => [key, { active, version: Number(version) }]),
    );
    expect([...stored.keys()].sort()).toEqual([...acknowledged.keys()].sort());
    for (const [key, writes] of acknowledged) {
      const last = writes.reduce((newest, write) => (write.version > newest.version ? write : newest));
      expect(stored.get(key)).toEqual({ active: last.active, version: last.version });
      expect(social.deliveredState(followTopic, key)).toMatchObject(stored.get(key)!);
      // One version has one state, and a write that began after a response never has an older version.
      for (const write of writes) {
        for (const other of writes) {
          if (other.version === write.version) expect(other.active).toBe(write.active);
          if (other.startedAt > write.endedAt) expect(other.version).toBeGreaterThanOrEqual(write.version);
        }
      }
    }

    for (const person of people) {
      const expected = rows.filter(({ key, active }) => active && key.endsWith(person.id)).length;
      expect(await social.relation(null, person)).toMatchObject({ followerCount: expected });
    }
  });

  it('leave no active follow beside a block, whichever comes first', async () => {
    for (let round = 0; round < 25; round += 1) {
      const [ana, ben] = [await social.person(), await social.person()];
      const outcomes = await Promise.all([
        outcome(social.follow(ana, ben)),
        outcome(social.follow(ben, ana)),
        outcome(social.block(ana, ben)),
        outcome(social.block(ben, ana)),
        outcome(social.follow(ben, ana)),
      ]);
      for (const one of outcomes) expect(['resolved', 'permission-denied blocked']).toContain(one);
      expect([outcomes[2], outcomes[3]]).toEqual(['resolved', 'resolved']);
      const active = await social.rows(
        'SELECT FROM follows WHERE follower_id = ANY($1) AND deleted_at IS NULL',
        [[ana.id, ben.id]],
      );
      expect(active).toEqual([]);
      await social.drainEvents();
      for (const key of [`${ana.id}_${ben.id}`, `${ben.id}_${ana.id}`]) {
        expect(social.deliveredState(followTopic, key)?.active ?? false).toBe(false);
        expect(social.deliveredState(blockTopic, key)?.active).toBe(true);
      }
    }
  });
});

describe('concurrent reviews', () => {
  it('leave one row per member, created once, and a summary counted from the rows', async () => {
    const coach = await social.coach();
    const members = await Promise.all(Array.from({ length: 5 }, () => social.person()));
    const random = seeded(17);
    const created: string[] = [];
    const tasks = members.flatMap((member) =>
      Array.from({ length: 12 }, (_, index) => async () => {
        const result = await social.review(member, coach, 1 + Math.floor(random() * 5), `Take ${index}`);
        if (result.created) created.push(member.id);
      }),
    );
    await byClients(20, tasks);
    expect(created.sort()).toEqual(members.map(({ id }) => id).sort());

    const rows = await social.rows<{ rating: number }>('SELECT rating FROM reviews WHERE coach_id = $1', [
      coach.id,
    ]);
    expect(rows).toHaveLength(members.length);
    const sum = rows.reduce((total, { rating }) => total + rating, 0);
    expect(summaryOf(await social.reviews(null, coach))).toEqual({
      averageRating: Math.round((sum / rows.length) * 10) / 10,
      totalReviews: rows.length,
    });
  });

  // Rule: PEOPLE-24
  it('are refused by a block that is committed while they wait for it', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    const client = await social.service.pool.connect();
    const pair = [ana.id, coach.id].sort().join('_');
    const isWaited = async () => {
      const rows = await social.rows(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows.length > 0;
    };
    try {
      await client.query("SET pulso.tampering = 'on'");
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [pair]);
      const reviewing = outcome(social.review(ana, coach));
      await until(isWaited, { what: 'the review to wait for the lock of the pair' });
      await client.query(
        'INSERT INTO blocks (blocker_id, blocked_id, created_at, version) VALUES ($1, $2, now(), 1)',
        [coach.id, ana.id],
      );
      await client.query('COMMIT');
      expect(await reviewing).toBe('not-found not-found');
    } finally {
      client.release(true);
    }
    expect(await social.rows('SELECT FROM reviews WHERE coach_id = $1', [coach.id])).toEqual([]);
  });

  it('run once under one key: repeats get the same response, or an error while the first one runs', async () => {
    const [ana, coach] = [await social.person(), await social.coach()];
    const once = () => social.review(ana, coach, 5, 'Once', 'key');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        once().then(
          ({ created, review }) => `${created} ${review!.id}`,
          (error: DomainError) => error.code,
        ),
      ),
    );
    const { review } = await once();
    const { 'idempotency-in-progress': early = 0, ...rest } = tally(answers);
    expect(rest).toEqual({ [`true ${review!.id}`]: answers.length - early });
    expect(early).toBeLessThan(answers.length);
  });
});
