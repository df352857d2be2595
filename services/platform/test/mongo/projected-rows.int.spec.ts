import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { Schema } from 'mongoose';
import type { EventRecord } from '../../src/events/event-bus.js';
import { eventOf } from '../../src/events/event-record.js';
import { republish, republishEnd, republishStart } from '../../src/events/republish.js';
import { newId, newIdAt } from '../../src/ids/uuid-v7.js';
import { createLogger } from '../../src/logging/logger.js';
import { ChangeTails } from '../../src/mongo/change-tails.js';
import { collection } from '../../src/mongo/collection.js';
import { MongoDatabase } from '../../src/mongo/mongo-database.js';
import { PROJECTED_FIELDS, type ProjectedRow } from '../../src/mongo/projected-row.js';
import { ProjectedRows } from '../../src/mongo/projected-rows.js';
import { RebuildRows, Rebuilds } from '../../src/mongo/rebuilds.js';
import { SCHEMA_OPTIONS } from '../../src/mongo/schema-options.js';
import { Readiness } from '../../src/service/readiness.js';
import { systemClock } from '../../src/time/clock.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { seeded } from '../../testing/seeded.js';

const PARTITIONS = 3;
const KEYS = 12;
const WORLDS = Number(process.env['PULSO_PROPERTY_RUNS'] ?? 40);

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

  protected fieldsOf({ blockerId, blockedId, active }: BlockState) {
    return { blockerId, blockedId, active };
  }

  protected written(): void {}

  protected rebuilt(): void {
    this.takenOver += 1;
  }
}

/** A process that projects blocks and starts with an empty cache. */
function aReplica(
  database: MongoDatabase,
  logger = createLogger({ service: 'test', level: 'silent' }),
): KnownBlocks {
  const tails = new ChangeTails(new Readiness(), logger);
  const rebuilds = new Rebuilds(new RebuildRows(database), tails, logger, systemClock);
  return new KnownBlocks(new BlockRows(database), rebuilds);
}

async function deliver(replica: KnownBlocks, event: EventRecord): Promise<void> {
  const [start, end] = [republishStart(event), republishEnd(event)];
  if (start) await replica.republishStarted(start);
  else if (end) await replica.republishEnded(end);
  else await replica.apply(blockTopic.codec.decode(event.payload), event);
}

/** Seeded randomness. */
class Dice {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

/** The owner of blocks, its log in partitions, and the replicas that consume it as one group. */
class World {
  readonly owned = new Map<string, BlockState>();
  private readonly logs: EventRecord[][] = Array.from({ length: PARTITIONS }, () => []);
  private readonly replicas: KnownBlocks[];
  private version = 0;
  private delivering = Promise.resolve(false);

  constructor(
    private readonly database: MongoDatabase,
    private readonly dice: Dice,
  ) {
    this.replicas = [aReplica(database), aReplica(database)];
  }

  /** The owner changes a row and publishes it. */
  change(key = this.someKey()): void {
    const [blockerId, blockedId] = blockTopic.partsOf(key);
    const state = { blockerId, blockedId, version: this.nextVersion(), active: this.dice.chance(0.5) };
    this.owned.set(key, state);
    this.append(eventOf(blockTopic, state));
  }

  /** Damage to the rows that a defect or an operator could have caused. */
  async spoil(): Promise<void> {
    const blocks = this.database.raw<BlockRow>('blocks');
    for (const key of [...this.owned.keys(), 'x_stray', 'y_stray']) {
      switch (this.dice.below(6)) {
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
  }

  /** A republication whose owner reads a few rows at a time, between other steps. */
  async republish(meanwhile: () => Promise<void>): Promise<void> {
    const { owned } = this;
    async function* states() {
      for (const key of [...owned.keys()].sort()) {
        const read = owned.get(key)!;
        await meanwhile();
        yield read;
      }
    }
    const bus = {
      publish: async (events: readonly EventRecord[]) => events.forEach((event) => this.append(event)),
      partitions: async () => PARTITIONS,
      delivered: async () => true,
    };
    await republish({ topic: blockTopic, states: states(), bus });
  }

  /** Delivers one event of one partition to one replica. If that kills the replica, the event is delivered again. */
  deliverOne(): Promise<boolean> {
    const turn = this.delivering.then(() => this.deliverNext());
    this.delivering = turn.catch(() => false);
    return turn;
  }

  private async deliverNext(): Promise<boolean> {
    const filled = this.logs.filter((log) => log.length > 0);
    if (filled.length === 0) return false;
    const log = this.dice.pick(filled);
    const place = this.dice.below(this.replicas.length);
    await deliver(this.replicas[place]!, log[0]!);
    if (this.dice.chance(0.1)) this.replicas[place] = aReplica(this.database);
    else log.shift();
    return true;
  }

  async deliverAll(): Promise<void> {
    while (await this.deliverOne());
  }

  async expectEqual(): Promise<void> {
    const fields = { blockerId: 1, blockedId: 1, active: 1, version: 1 };
    const rows = await this.database
      .raw<BlockRow>('blocks')
      .find({}, { projection: fields })
      .sort({ _id: 1 })
      .limit(100)
      .toArray();
    const wanted = [...this.owned].map(([_id, state]) => ({ _id, ...state }));
    expect(rows).toEqual(wanted.sort((a, b) => (a._id < b._id ? -1 : 1)));
  }

  private append(event: EventRecord): void {
    const partition = event.partition ?? event.key.charCodeAt(1) % PARTITIONS;
    this.logs[partition]!.push(event);
  }

  /** Like `nextVersion`, in longer steps: a damaged row whose version is one higher never has the next version. */
  private nextVersion(): number {
    return (this.version = Math.max(this.version + 10, Date.now() * 1000));
  }

  private someKey(): string {
    return `u${this.dice.below(KEYS)}_v`;
  }
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

  it.each(Array.from({ length: WORLDS }, (_, seed) => seed))(
    'equal the owner’s states, with partitions, replicas, kills and changes meanwhile: world %d',
    async (seed) => {
      const dice = new Dice(seed + 1);
      const world = new World(database, dice);
      for (let count = 0; count < 2 * KEYS; count += 1) world.change();
      await world.deliverAll();
      await world.expectEqual();
      await world.spoil();
      const meanwhile = async () => {
        if (dice.chance(0.3)) world.change();
        for (let turns = dice.below(4); turns > 0; turns -= 1) await world.deliverOne();
      };
      // One republication that its owner's crash interrupts, then one, or two at the same time.
      if (dice.chance(0.5)) {
        const death = async () => {
          await meanwhile();
          if (dice.chance(0.3)) throw new Error('killed');
        };
        await world.republish(death).catch((error: Error) => expect(error.message).toBe('killed'));
      }
      const runs = dice.chance(0.5) ? 1 : 2;
      await Promise.all(Array.from({ length: runs }, () => world.republish(meanwhile)));
      await world.deliverAll();
      await world.expectEqual();
      world.change();
      await world.deliverAll();
      await world.expectEqual();
    },
  );

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
});
