import type { BlockState } from '@pulso/contracts/social/v1/events';
import type { Consumer, EventRecord } from '@pulso/platform/events/event-bus';
import { eventOf } from '@pulso/platform/events/event-record';
import { republish, republishEnd, republishStart } from '@pulso/platform/events/republish';
import { blockTopic } from '@pulso/contracts/topics/social';
import { systemClock } from '@pulso/platform/time/clock';
import type { mongo } from 'mongoose';
import { Dice } from '../src/feed-index/feed-world.js';
import { ProjectedRows } from '../src/projection/rebuild/projected-rows.js';
import type { ProjectedRow } from '../src/projection/rebuild/projected-row.js';
import { Rebuilds } from '../src/projection/rebuild/rebuilds.js';
import { type TestPosts, startTestPosts } from './support/start-test-posts.js';

const PARTITIONS = 3;
const KEYS = 12;
const WORLDS = Number(process.env['PULSO_PROPERTY_RUNS'] ?? 40);

/** The owner of blocks, its log in partitions, and the replicas that consume it as one group. */
class World {
  readonly owned = new Map<string, BlockState>();
  private readonly logs: EventRecord[][] = Array.from({ length: PARTITIONS }, () => []);
  private readonly replicas: Consumer<BlockState>[];
  private version = 0;
  private delivering = Promise.resolve(false);

  constructor(
    private readonly store: TestPosts['store'],
    private readonly dice: Dice,
  ) {
    this.replicas = [this.newReplica(), this.newReplica()];
  }

  /** The owner changes a row and says so. */
  change(key = this.someKey()): void {
    const [blockerId, blockedId] = key.split('_') as [string, string];
    const state = { blockerId, blockedId, version: this.nextVersion(), active: this.dice.chance(0.5) };
    this.owned.set(key, state);
    this.append(eventOf(blockTopic, state));
  }

  /** What a defect, or an operator, could have done to the rows. */
  async spoil(): Promise<void> {
    const { blocks } = this.store.raw;
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

  /** A republication of which the owner reads a few rows between other things that happen. */
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
      settled: async () => true,
    };
    await republish({ topic: blockTopic, states: states(), bus });
  }

  /** One event of one partition to one replica, which may be killed over it: then it comes again. */
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
    await this.handle(this.replicas[place]!, log[0]!);
    if (this.dice.chance(0.1)) this.replicas[place] = this.newReplica();
    else log.shift();
    return true;
  }

  async deliverAll(): Promise<void> {
    while (await this.deliverOne());
  }

  async expectEqual(): Promise<void> {
    const fields = { blockerId: 1, blockedId: 1, active: 1, version: 1 };
    const rows = await this.store.raw.blocks
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

  /** As `nextVersion`, in longer steps: no row that claims one more is mistaken for the next one. */
  private nextVersion(): number {
    return (this.version = Math.max(this.version + 10, Date.now() * 1000));
  }

  private someKey(): string {
    return `u${this.dice.below(KEYS)}_v`;
  }

  private async handle(consumer: Consumer<BlockState>, event: EventRecord): Promise<void> {
    const [start, end] = [republishStart(event), republishEnd(event)];
    if (start) await consumer.republishStarted!(start);
    else if (end) await consumer.republishEnded!(end);
    else await consumer.handle(blockTopic.codec.decode(event.payload), event);
  }

  private newReplica(): Consumer<BlockState> {
    const collection = this.store.raw.blocks as unknown as mongo.Collection<ProjectedRow>;
    const rows = new ProjectedRows(
      'blocks',
      collection,
      new Rebuilds(this.store),
      systemClock,
      async () => undefined,
    );
    return rows.rebuildable<BlockState>({
      group: 'blocks',
      topic: blockTopic,
      handle: async ({ blockerId, blockedId, active }, event) =>
        void (await rows.write(event, { blockerId, blockedId, active })),
    });
  }
}

describe('rows that a republication rebuilds', () => {
  let posts: TestPosts;
  beforeAll(async () => {
    posts = await startTestPosts();
  });
  afterAll(() => posts.close());
  beforeEach(async () => {
    await posts.store.raw.blocks.deleteMany({ _id: { $gt: '' } });
    await posts.store.raw.rebuilds.deleteMany({ _id: { $gt: '' } });
  });

  it.each(Array.from({ length: WORLDS }, (_, seed) => seed))(
    'are the owner’s, over partitions, replicas, kills and changes meanwhile: world %d',
    async (seed) => {
      const dice = new Dice(seed + 1);
      const world = new World(posts.store, dice);
      for (let count = 0; count < 2 * KEYS; count += 1) world.change();
      await world.deliverAll();
      await world.expectEqual();
      await world.spoil();
      const meanwhile = async () => {
        if (dice.chance(0.3)) world.change();
        for (let turns = dice.below(4); turns > 0; turns -= 1) await world.deliverOne();
      };
      // One that its owner does not live to finish, then one, or two at the same time.
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

  it('stay while states are missing, and are put right when these are replayed', async () => {
    const collection = posts.store.raw.blocks as unknown as mongo.Collection<ProjectedRow>;
    const told: string[] = [];
    const rows = new ProjectedRows(
      'blocks',
      collection,
      new Rebuilds(posts.store),
      systemClock,
      async (name) => {
        told.push(name);
      },
    );
    const consumer = rows.rebuildable<BlockState>({
      group: 'blocks',
      topic: blockTopic,
      handle: async ({ active }, event) => void (await rows.write(event, { active })),
    });
    const events: EventRecord[] = [];
    const bus = {
      publish: async (published: readonly EventRecord[]) => void events.push(...published),
      partitions: async () => 1,
      settled: async () => true,
    };
    async function* states() {
      for (const blockerId of ['a', 'b']) yield { blockerId, blockedId: 'c', version: 1, active: true };
    }
    await republish({ topic: blockTopic, states: states(), bus });
    const [start, first, second, end] = events;
    await collection.insertOne({ _id: 'b_c', version: 1, active: true } as never);
    await collection.insertOne({ _id: 'stray', version: 1 } as never);
    await consumer.republishStarted!(republishStart(start!)!);
    await consumer.handle({ active: true } as BlockState, first!);
    await expect(consumer.republishEnded!(republishEnd(end!)!)).rejects.toThrow('only 1 of 2 states');
    expect(await collection.countDocuments({ _id: { $in: ['b_c', 'stray'] } })).toBe(2);
    expect(told).toEqual([]);
    await consumer.handle({ active: true } as BlockState, second!);
    await consumer.republishEnded!(republishEnd(end!)!);
    expect((await collection.find({}).limit(10).toArray()).map(({ _id }) => _id).sort()).toEqual([
      'a_c',
      'b_c',
    ]);
    expect(told).toEqual(['blocks']);
  });
});
