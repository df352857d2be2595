import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import type { EventRecord } from '../../src/events/event-bus.js';
import { eventOf } from '../../src/events/event-record.js';
import { republish, republishEnd, republishStart } from '../../src/events/republish.js';
import { seeded } from '../../testing/seeded.js';
import { aProjectionDatabase, KnownBlocks } from './block-rows.js';

let database: Awaited<ReturnType<typeof aProjectionDatabase>>;
beforeAll(async () => (database = await aProjectionDatabase()));
beforeEach(() => database.clear());
afterAll(() => database?.drop());

const PARTITIONS = 2;
const KEYS = 12;
const WORLDS = Number(process.env['PULSO_PROPERTY_RUNS'] ?? 25);

/** The owner of blocks, its log in partitions, and two replicas that consume it as one group. */
class World {
  private readonly owned = new Map<string, BlockState>();
  private readonly logs: EventRecord[][] = Array.from({ length: PARTITIONS }, () => []);
  private readonly replicas = [this.newReplica(), this.newReplica()];
  private version = 0;
  private delivering = Promise.resolve(false);

  constructor(private readonly chance: () => number) {}

  below = (limit: number) => Math.floor(this.chance() * limit);

  change(): void {
    const blockerId = `u${this.below(KEYS)}`;
    // Like `nextVersion`, in longer steps: a damaged row whose version is one higher never has the next version.
    this.version = Math.max(this.version + 10, Date.now() * 1000);
    const state = { blockerId, blockedId: 'v', version: this.version, active: this.chance() < 0.5 };
    this.owned.set(blockTopic.keyOf(state), state);
    this.append(eventOf(blockTopic, state));
  }

  /** Damage to the rows that a defect or an operator could have caused. */
  async spoil(): Promise<void> {
    for (const key of [...this.owned.keys(), 'x_stray', 'y_stray']) {
      const parts = key.split('_');
      const where = 'WHERE blocker_id = $1 AND blocked_id = $2';
      const spoilt = [
        `DELETE FROM known_blocks ${where}`,
        `UPDATE known_blocks SET active = NOT active ${where}`,
        `UPDATE known_blocks SET version = version + 1, active = true ${where}`,
        `INSERT INTO known_blocks VALUES ($1, $2, true, 9000000000000000)
         ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET version = excluded.version`,
      ][this.below(6)];
      if (spoilt) await database.pool.query(spoilt, parts);
      if (this.chance() < 0.2) await database.pool.query('DELETE FROM effects WHERE name = $1', [key]);
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

  async deliverAll(): Promise<void> {
    while (await this.deliverOne());
  }

  async expectEqual(): Promise<void> {
    const wanted = [...this.owned].sort(([a], [b]) => (a < b ? -1 : 1));
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
  }

  private async deliverNext(): Promise<boolean> {
    const filled = this.logs.filter((log) => log.length > 0);
    if (filled.length === 0) return false;
    const log = filled[this.below(filled.length)]!;
    const place = this.below(this.replicas.length);
    await this.handle(this.replicas[place]!, log[0]!);
    if (this.chance() < 0.1) this.replicas[place] = this.newReplica();
    else log.shift();
    return true;
  }

  private append(event: EventRecord): void {
    this.logs[event.partition ?? event.key.charCodeAt(1) % PARTITIONS]!.push(event);
  }

  private async handle(replica: KnownBlocks, event: EventRecord): Promise<void> {
    const [start, end] = [republishStart(event), republishEnd(event)];
    if (start) await replica.republishStarted(start);
    else if (end) await replica.republishEnded(end);
    else await replica.apply(blockTopic.codec.decode(event.payload), event);
  }

  private newReplica(): KnownBlocks {
    return new KnownBlocks(database.replica());
  }
}

it.each(Array.from({ length: WORLDS }, (_, seed) => seed + 1))(
  'rows equal the owner’s states after a rebuild, with partitions, replicas, kills and changes meanwhile: world %d',
  async (seed) => {
    const chance = seeded(seed);
    const world = new World(chance);
    for (let count = 0; count < 2 * KEYS; count += 1) world.change();
    await world.deliverAll();
    await world.expectEqual();
    await world.spoil();
    const meanwhile = async () => {
      if (chance() < 0.3) world.change();
      for (let turns = world.below(4); turns > 0; turns -= 1) await world.deliverOne();
    };
    // One republication that its owner's crash interrupts, then one, or two at the same time.
    if (chance() < 0.5) {
      const death = async () => {
        await meanwhile();
        if (chance() < 0.3) throw new Error('killed');
      };
      await world.republish(death).catch((error: Error) => expect(error.message).toBe('killed'));
    }
    const runs = chance() < 0.5 ? 1 : 2;
    await Promise.all(Array.from({ length: runs }, () => world.republish(meanwhile)));
    await world.deliverAll();
    await world.expectEqual();
    world.change();
    await world.deliverAll();
    await world.expectEqual();
  },
);
