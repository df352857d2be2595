import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import mongoose, { type Connection } from 'mongoose';
import pg from 'pg';
import type { ApiClient, ApiPost } from '../support/api-client.js';
import { aCoachWithPosts, elsewhere, feedIds, untilFeedIs, userIds } from '../support/crowd.js';
import { oracleFeed } from '../support/feed-oracle.js';
import { type TestPulso, startPulso } from '../support/start-pulso.js';

const COACHES = 4;

/** A projection, the query for its rows, and the same query of the owner. */
interface Projection {
  name: 'users' | 'follows' | 'blocks' | 'hiddenPosts';
  fields: readonly string[];
  owner: 'identity' | 'social';
  entity: string;
  sql: string;
}

const PROJECTIONS: readonly Projection[] = [
  {
    name: 'users',
    fields: ['status', 'name', 'username', 'isCoach'],
    owner: 'identity',
    entity: 'user',
    sql: `SELECT id::text AS _id, version, status, name, username, is_coach AS "isCoach" FROM users`,
  },
  {
    name: 'follows',
    fields: ['followerId', 'targetId', 'active'],
    owner: 'social',
    entity: 'follow',
    sql: `SELECT follower_id || '_' || target_id AS _id, version, follower_id AS "followerId",
            target_id AS "targetId", deleted_at IS NULL AS active FROM follows`,
  },
  {
    name: 'blocks',
    fields: ['blockerId', 'blockedId', 'active'],
    owner: 'social',
    entity: 'block',
    sql: `SELECT blocker_id || '_' || blocked_id AS _id, version, blocker_id AS "blockerId",
            blocked_id AS "blockedId", deleted_at IS NULL AS active FROM blocks`,
  },
  {
    name: 'hiddenPosts',
    fields: ['hidden'],
    owner: 'social',
    entity: 'hidden-post',
    sql: `SELECT post_id::text AS _id, version, active AS hidden FROM post_hidings`,
  },
];

type Row = Record<string, unknown> & { _id: string };

const byId = (rows: readonly Row[]) => [...rows].sort((a, b) => (a._id < b._id ? -1 : 1));

describe('posts’ projections rebuilt by republish while the product serves', () => {
  let pulso: TestPulso;
  let store: Connection;
  let owners: Record<'identity' | 'social', pg.Client>;
  let coaches: ApiClient[];
  let ben: ApiClient;
  let posts: ApiPost[];

  beforeAll(async () => {
    pulso = await startPulso();
    store = await mongoose.createConnection(pulso.databases.posts).asPromise();
    const { identity, social } = pulso.databases;
    owners = {
      identity: new pg.Client({ connectionString: identity }),
      social: new pg.Client({ connectionString: social }),
    };
    await Promise.all(Object.values(owners).map((client) => client.connect()));
    const authors = await Promise.all(
      Array.from({ length: COACHES }, (_, index) => aCoachWithPosts(pulso, `coach-${index}`)),
    );
    coaches = authors.map(({ coach }) => coach);
    posts = authors.flatMap((author) => author.posts);
    const hidden = posts.pop()!;
    ben = await pulso.user('ben');
    await pulso.drainEvents();
    for (const { status } of [
      await ben.put(`/api/users/${coaches[0]!.userId}/follow`),
      await ben.put(`/api/users/${coaches[1]!.userId}/follow`),
      await ben.delete(`/api/users/${coaches[1]!.userId}/follow`),
      await coaches[2]!.put(`/api/users/${ben.userId}/block`),
    ]) {
      expect(status).toBeLessThan(300);
    }
    for (const [command, post] of [
      ['hide-post', hidden],
      ['unhide-post', posts[0]!],
    ] as const) {
      await pulso.operate('social', command, post.id, '--by', 'mo');
    }
    await pulso.drainEvents();
  }, 180_000);
  afterAll(async () => {
    await Promise.all(Object.values(owners ?? {}).map((client) => client.end()));
    await store?.close();
    await pulso?.close();
  });

  const rowsOf = (name: Projection['name']) => store.db!.collection<Row>(name);
  const held = async ({ name, fields }: Projection): Promise<Row[]> => {
    const rows = await rowsOf(name).find({}).limit(500).toArray();
    return byId(
      rows.map((row) => {
        const values = row as unknown as Row;
        return Object.fromEntries(
          ['_id', 'version', ...fields].map((field) => [field, values[field]]),
        ) as Row;
      }),
    );
  };
  const owned = async ({ owner, sql }: Projection): Promise<Row[]> => {
    const { rows } = await owners[owner].query<Row>(sql);
    return byId(rows.map((row) => ({ ...row, version: Number(row['version']) })));
  };
  const expectEqual = async () => {
    for (const projection of PROJECTIONS) expect(await held(projection)).toEqual(await owned(projection));
  };
  const republishAll = async () => {
    for (const owner of ['identity', 'social'] as const) {
      const theirs = PROJECTIONS.filter((projection) => projection.owner === owner);
      await pulso.republish(owner, ...theirs.map(({ entity }) => entity));
    }
  };
  const wantedFeed = async () =>
    oracleFeed(posts, {
      viewerId: ben.userId,
      following: new Set(await userIds(ben, `/api/users/${ben.userId}/following`)),
      blocked: new Set([coaches[2]!.userId]),
    });
  const expectFeed = async () => {
    const wanted = await wantedFeed();
    await untilFeedIs(elsewhere(ben), wanted);
  };

  it('is equal to its owners at the beginning', async () => {
    await expectEqual();
    await expectFeed();
  });

  it.each<[string, (projection: Projection) => Promise<unknown>]>([
    ['thrown away', ({ name }) => rowsOf(name).deleteMany({ _id: { $gt: '' } })],
    [
      'altered, with versions too high',
      async (projection) => {
        for (const { _id } of await held(projection)) {
          const wrong = { name: 'Mallory', active: true, hidden: true, isCoach: false };
          const update = { $set: wrong, $inc: { version: 1_000 } };
          await rowsOf(projection.name).updateOne({ _id }, update as never);
        }
      },
    ],
    [
      'given rows that no service owns',
      async ({ name }) => {
        const [someone, other] = [coaches[3]!.userId, ben.userId];
        const row = {
          users: { _id: posts[0]!.id, status: 'active', name: 'Nobody', isCoach: true },
          follows: { _id: `${other}_${someone}`, followerId: other, targetId: someone, active: true },
          blocks: { _id: `${other}_${someone}`, blockerId: other, blockedId: someone, active: true },
          hiddenPosts: { _id: posts[1]!.id, authorId: coaches[0]!.userId, hidden: true },
        }[name];
        await rowsOf(name).insertOne({ ...row, version: 9e15 } as never);
      },
    ],
  ])(
    'is restored after it was %s',
    async (_, spoil) => {
      for (const projection of PROJECTIONS) await spoil(projection);
      const before = await Promise.all(PROJECTIONS.map(held));
      const right: Row[][] = [];
      for (const projection of PROJECTIONS) right.push(await owned(projection));
      expect(before).not.toEqual(right);

      // People keep using the product: each write is in its author's next feed once the author's rows are restored.
      const serving = { ended: false };
      onTestEnd(() => (serving.ended = true));
      const visits = (async () => {
        const statuses = new Set<number>();
        for (let count = 0; !serving.ended; count += 1) {
          const path = `/api/users/${coaches[1]!.userId}/follow`;
          const answers = [
            await ben.call(count % 2 === 0 ? 'PUT' : 'DELETE', path),
            await ben.get('/api/feed'),
          ];
          for (const { status } of answers) statuses.add(status);
        }
        return statuses;
      })();
      // It is awaited below; until then a failure must not count as unhandled.
      visits.catch(() => undefined);
      await republishAll();
      serving.ended = true;
      expect([...(await visits)].every((status) => status === 200 || status === 503)).toBe(true);
      // Only now: while somebody writes, there may always be a delivery. A rebuild goes on after its command has ended.
      await pulso.drainEvents();
      await expectEqual();
      await expectFeed();
    },
    240_000,
  );

  it('is restored by two concurrent commands', async () => {
    await rowsOf('follows').deleteMany({ _id: { $gt: '' } });
    await rowsOf('blocks').updateMany(
      { blockerId: coaches[2]!.userId },
      { $set: { active: false, version: 9e15 } },
    );
    await Promise.all([republishAll(), republishAll()]);
    await pulso.drainEvents();
    await expectEqual();
    await expectFeed();
    expect((await ben.put(`/api/users/${coaches[3]!.userId}/follow`)).status).toBe(200);
    expect(await feedIds(ben)).toEqual(await wantedFeed());
  }, 240_000);
});
