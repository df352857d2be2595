import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { jest } from '@jest/globals';
import { Schema } from 'mongoose';
import { Registry } from 'prom-client';
import type { EventRecord } from '../../src/events/event-bus.js';
import { eventOf } from '../../src/events/event-record.js';
import { republish } from '../../src/events/republish.js';
import { newId, newIdAt } from '../../src/ids/uuid-v7.js';
import { createLogger } from '../../src/logging/logger.js';
import { ChangeTails } from '../../src/mongo/change-tails.js';
import { collection } from '../../src/mongo/collection.js';
import { MongoDatabase } from '../../src/mongo/mongo-database.js';
import { PROJECTED_FIELDS, type ProjectedRow } from '../../src/mongo/projected-row.js';
import { ProjectedRows } from '../../src/mongo/projected-rows.js';
import { RebuildRows, Rebuilds } from '../../src/mongo/rebuilds.js';
import { SCHEMA_OPTIONS } from '../../src/mongo/schema-options.js';
import { InProcessSignals } from '../../src/signals/in-process-signals.js';
import { Readiness } from '../../src/service/readiness.js';
import { StoreClock } from '../../src/mongo/store-clock.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { deliver, describeRebuilds } from '../events/rebuild-worlds.js';

interface BlockRow extends ProjectedRow {
  blockerId: string;
  blockedId: string;
  active: boolean;
}

class BlockRows extends collection<BlockRow>({
  name: 'blocks',
  schema: new Schema<BlockRow>(
    { ...PROJECTED_FIELDS, blockerId: String, blockedId: String, active: Boolean },
    SCHEMA_OPTIONS,
  ),
}) {}

class KnownBlocks extends ProjectedRows<BlockState, BlockRow> {
  readonly topic = blockTopic;
  /** How often the cache was to be dropped. */
  takenOver = 0;
  /** The keys of the rows whose write was followed up, and whether that fails. */
  readonly followed: string[] = [];
  failing = false;

  protected fieldsOf({ blockerId, blockedId, active }: BlockState) {
    return { blockerId, blockedId, active };
  }

  protected override written(state: BlockState): void {
    if (this.failing) throw new Error('no follow-up');
    this.followed.push(blockTopic.keyOf(state));
  }

  protected rebuilt(): void {
    this.takenOver += 1;
  }
}

const signals = new InProcessSignals();

/** A process that projects blocks and starts with an empty cache. */
function aReplica(
  database: MongoDatabase,
  logger = createLogger({ service: 'test', level: 'silent' }),
  storeClock = new StoreClock(() => database.time()),
): KnownBlocks {
  const tails = new ChangeTails(new Readiness(), logger, database, new Registry(), signals);
  const rebuilds = new Rebuilds(new RebuildRows(database), tails, logger, storeClock);
  return new KnownBlocks(new BlockRows(database), rebuilds);
}

describe('rows that a republication rebuilds', () => {
  const { url, drop } = aMongoDatabase('rows');
  let database: MongoDatabase;
  beforeAll(async () => {
    database = await MongoDatabase.open({ url, pool: 5 }, [BlockRows.declaration, RebuildRows.declaration]);
    await database.createIndexes();
  });
  afterAll(async () => {
    await database?.close();
    await drop();
  });
  beforeEach(async () => {
    for (const name of ['blocks', 'rebuilds']) {
      await database.raw<{ _id: string }>(name).deleteMany({ _id: { $gt: '' } });
    }
  });

  describeRebuilds({
    partitions: 3,
    worlds: 40,
    aReplica: () => aReplica(database),
    async spoil(keys, dice) {
      const blocks = database.raw<BlockRow>('blocks');
      for (const key of keys) {
        switch (dice.below(6)) {
          case 0:
            await blocks.deleteOne({ _id: key });
            break;
          case 1:
            await blocks.updateOne(
              { _id: key },
              { $set: { active: key.length % 2 === 0, blockerId: 'somebody' } },
            );
            break;
          case 2:
            await blocks.updateOne({ _id: key }, { $inc: { version: 1 }, $set: { active: true } });
            break;
          case 3: {
            const row = {
              blockerId: 'x',
              blockedId: 'y',
              active: true,
              version: 9e15,
              changedAt: new Date(Date.now() - 1_000),
            };
            await blocks.updateOne({ _id: key }, { $set: row }, { upsert: true });
            break;
          }
          default:
        }
      }
    },
    async expectEqual(owned) {
      const fields = { blockerId: 1, blockedId: 1, active: 1, version: 1 };
      const rows = await database
        .raw<BlockRow>('blocks')
        .find({}, { projection: fields })
        .sort({ _id: 1 })
        .limit(100)
        .toArray();
      const wanted = [...owned].map(([_id, state]) => ({ _id, ...state }));
      expect(rows).toEqual(wanted.sort((a, b) => (a._id < b._id ? -1 : 1)));
    },
  });

  it('stay while states are missing, and are corrected when these are replayed', async () => {
    const rows = database.raw<BlockRow>('blocks');
    const replica = aReplica(database);
    const events: EventRecord[] = [];
    const bus = {
      publish: async (published: readonly EventRecord[]) => void events.push(...published),
      partitions: async () => 1,
      delivered: async () => true,
    };
    async function* states() {
      for (const blockerId of ['a', 'b']) yield { blockerId, blockedId: 'c', version: 1, active: true };
    }
    await republish({ topic: blockTopic, states: states(), bus });
    const [start, first, second, end] = events;
    await rows.insertOne({ _id: 'b_c', version: 1, active: true } as BlockRow);
    await rows.insertOne({ _id: 'stray', version: 1 } as BlockRow);
    await deliver(replica, start!);
    await deliver(replica, first!);
    await expect(deliver(replica, end!)).rejects.toThrow('only 1 of 2 states');
    expect(await rows.countDocuments({ _id: { $in: ['b_c', 'stray'] } })).toBe(2);
    expect(replica.takenOver).toBe(0);
    await deliver(replica, second!);
    await deliver(replica, end!);
    expect((await rows.find({}).limit(10).toArray()).map(({ _id }) => _id).sort()).toEqual(['a_c', 'b_c']);
    expect(replica.takenOver).toBe(1);
  });

  const block = (blockerId: string, version: number) => ({
    blockerId,
    blockedId: 'b',
    version,
    active: true,
  });
  const marker = { partition: 0, partitions: 1 };
  const keys = async () =>
    (await database.raw<BlockRow>('blocks').find({}).limit(10).toArray()).map(({ _id }) => _id).sort();

  it.each(['began hours ago', 'is earlier than a known one'])(
    'are not removed by a republication that is read again and %s',
    async (reason) => {
      const warnings: string[] = [];
      const destination = { write: (line: string) => void warnings.push(line) };
      const replica = aReplica(database, createLogger({ service: 'test', level: 'warn', destination }));
      const apply = (state: BlockState, republication?: string) =>
        replica.apply(state, eventOf(blockTopic, state, { republication }));
      const isOld = reason === 'began hours ago';
      const run = isOld ? newIdAt(Date.now() - 2 * 60 * 60_000) : newId();
      if (!isOld) {
        const later = newId();
        await replica.republishStarted({ run: later, ...marker });
        await replica.republishEnded({ run: later, ...marker, states: 0 });
      }
      for (const state of [block('old', 5), block('young', 9)]) await apply(state);
      const past = { changedAt: new Date(Date.now() - 3 * 60 * 60_000) };
      await database.raw<BlockRow>('blocks').updateMany({ _id: { $gt: '' } }, { $set: past });
      await replica.republishStarted({ run, ...marker });
      await apply(block('old', 6), run);
      await replica.republishEnded({ run, ...marker, states: 1 });
      await apply(block('young', 9));
      expect(await keys()).toEqual(['old_b', 'young_b']);
      expect(await replica.versionOf('old_b')).toBe(6);
      expect(warnings).toEqual([expect.stringContaining(run)]);
    },
  );

  it('stay if their event comes again during a republication that does not include them', async () => {
    const replica = aReplica(database);
    const run = newId();
    const rows = ['again', 'stray', 'older'].map((name) => ({
      ...block(name, 5),
      _id: `${name}_b`,
      changedAt: new Date(Date.now() - 60_000),
    }));
    await database.raw<BlockRow>('blocks').insertMany(rows);
    await replica.republishStarted({ run, ...marker });
    for (const state of [block('again', 5), block('older', 4)]) {
      await replica.apply(state, eventOf(blockTopic, state));
    }
    await replica.republishEnded({ run, ...marker, states: 0 });
    expect(await keys()).toEqual(['again_b']);
  });

  describe('and an event that is known', () => {
    const apply = (replica: KnownBlocks, state: BlockState, republication?: string) =>
      replica.apply(state, eventOf(blockTopic, state, { republication }));

    /** The commands of the replica's work, by collection. */
    async function commandsOf(work: (replica: KnownBlocks) => Promise<unknown>): Promise<string[]> {
      const counted = `${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`;
      const own = await MongoDatabase.open({ url: counted, pool: 1 }, [
        BlockRows.declaration,
        RebuildRows.declaration,
      ]);
      const commands: string[] = [];
      const client = own.model<BlockRow>('blocks').db.getClient();
      client.on('commandStarted', ({ commandName, command }) => {
        commands.push(`${commandName} ${command[commandName]}`);
      });
      try {
        await work(aReplica(own));
      } finally {
        await own.close();
      }
      return commands.filter((command) => /blocks|rebuilds/.test(command));
    }

    it('cost a refused write and a read if it is older; a new one only its writes', async () => {
      const replica = aReplica(database);
      await apply(replica, block('a', 5));
      expect(replica.followed).toEqual(['a_b']);
      const older = await commandsOf(async (other) => {
        await apply(other, block('a', 4));
        expect(other.followed).toEqual([]);
      });
      expect(older).toEqual(['update blocks', 'find blocks']);
      const same = await commandsOf(async (other) => {
        await apply(other, block('a', 5));
        expect(other.followed).toEqual([]);
      });
      expect(same).toEqual(['update blocks', 'find blocks', 'find rebuilds']);
      expect(await commandsOf((other) => apply(other, block('a', 6)))).toEqual([
        'update blocks',
        'update blocks',
      ]);
    });

    it('follow up the write again until that has ended once', async () => {
      const [dying, replica] = [aReplica(database), aReplica(database)];
      dying.failing = true;
      await expect(apply(dying, block('a', 5))).rejects.toThrow('no follow-up');
      expect(await replica.versionOf('a_b')).toBe(5);
      await apply(replica, block('a', 5));
      await apply(replica, block('a', 5));
      await apply(replica, block('a', 4));
      expect(replica.followed).toEqual(['a_b']);
      // A row that an earlier version of the service has written, and one that it writes over a newer one's.
      await database.raw<BlockRow>('blocks').updateOne({ _id: 'a_b' }, { $set: { version: 6 } });
      await apply(replica, block('a', 5));
      await apply(replica, block('a', 6));
      expect(replica.followed).toEqual(['a_b', 'a_b']);
    });

    it('follow up again a row that a republication corrects at the same version', async () => {
      const [dying, replica] = [aReplica(database), aReplica(database)];
      await apply(replica, block('a', 5));
      await database.raw<BlockRow>('blocks').updateOne({ _id: 'a_b' }, { $set: { active: false } });
      const run = newId();
      await replica.republishStarted({ run, ...marker });
      dying.failing = true;
      await expect(apply(dying, block('a', 5), run)).rejects.toThrow('no follow-up');
      await apply(replica, block('a', 5), run);
      await apply(replica, block('a', 5), run);
      expect(replica.followed).toEqual(['a_b', 'a_b']);
    });
  });

  describe('and a version in the future', () => {
    const HOUR_MS = 60 * 60_000;
    const versionAt = (ms: number) => (Date.now() + ms) * 1000;
    const apply = (replica: KnownBlocks, version: number) =>
      replica.apply(block('a', version), eventOf(blockTopic, block('a', version)));

    it('are overwritten by an event of now, not by one of the future', async () => {
      const replica = aReplica(database);
      const far = versionAt(3 * HOUR_MS);
      await apply(replica, far);
      await apply(replica, versionAt(2 * HOUR_MS));
      expect(await replica.versionOf('a_b')).toBe(far);
      const now = versionAt(0);
      await apply(replica, now);
      expect(await replica.versionOf('a_b')).toBe(now);
    });

    it('are told by the store’s clock, though this machine’s is two hours behind', async () => {
      const replica = aReplica(database);
      const [older, newer] = [versionAt(-1.5 * HOUR_MS), versionAt(0)];
      await apply(replica, newer);
      const slow = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 2 * HOUR_MS);
      try {
        await apply(replica, older);
      } finally {
        slow.mockRestore();
      }
      expect(await replica.versionOf('a_b')).toBe(newer);
    });
  });
});
