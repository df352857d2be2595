import { DataSource } from 'typeorm';
import type { StartPoints } from '../../src/events/start-points.js';
import { MongoDatabase } from '../../src/mongo/mongo-database.js';
import { MongoStartPoints, StartPointRows } from '../../src/mongo/mongo-start-points.js';
import { CreateStartPoints1764600000000 } from '../../src/postgres/create-start-points.migration.js';
import { PostgresStartPoints } from '../../src/postgres/postgres-start-points.js';
import { aMongoDatabase, aPostgresDatabase } from '../../testing/databases.js';

interface Opened {
  points: StartPoints;
  close(): Promise<void>;
}

async function inPostgres(): Promise<Opened> {
  const { url, drop } = await aPostgresDatabase('starts');
  const migrations = [CreateStartPoints1764600000000];
  const dataSource = await new DataSource({ type: 'postgres', url, migrations }).initialize();
  await dataSource.runMigrations();
  const close = async () => {
    await dataSource.destroy();
    await drop();
  };
  return { points: new PostgresStartPoints(dataSource), close };
}

async function inMongo(): Promise<Opened> {
  const { url, drop } = aMongoDatabase('starts');
  const database = await MongoDatabase.open({ url, pool: 5 }, [StartPointRows.declaration]);
  const close = async () => {
    await database.close();
    await drop();
  };
  return { points: new MongoStartPoints(new StartPointRows(database)), close };
}

describe.each([
  ['PostgreSQL', inPostgres],
  ['MongoDB', inMongo],
])('start points in %s', (_store, open) => {
  let opened: Opened;
  beforeAll(async () => void (opened = await open()));
  afterAll(() => opened.close());

  it('keep the first offsets of a group and topic for ever', async () => {
    const { points } = opened;
    const offsets = [3, 0, 9_007_199_254_740_991];
    expect(await points.keep('mail', 'users', offsets)).toEqual({ offsets, isNew: true });
    expect(await points.keep('mail', 'users', [8, 8, 8, 8])).toEqual({ offsets, isNew: false });
    expect(await points.keep('mail', 'posts', [1])).toEqual({ offsets: [1], isNew: true });
    expect(await points.keep('push', 'users', [])).toEqual({ offsets: [], isNew: true });
  });

  it('are those of the latest former name that a group began under', async () => {
    const { points } = opened;
    await points.keep('oldest', 'likes', [1]);
    await points.keep('older', 'likes', [2]);
    const formerGroups = ['never', 'older', 'oldest'];
    const kept = { offsets: [2], isNew: false };
    expect(await points.keep('present', 'likes', [9], formerGroups)).toEqual(kept);
    expect(await points.keep('present', 'likes', [9])).toEqual(kept);
    expect(await points.keep('present', 'comments', [9], formerGroups)).toEqual({
      offsets: [9],
      isNew: true,
    });
  });

  it('answer several replicas that begin at once the same, and one of them that it is new', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_unused, index) => opened.points.keep('race', 'users', [index])),
    );
    expect(new Set(answers.map(({ offsets }) => String(offsets))).size).toBe(1);
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
  });
});
