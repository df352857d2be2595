import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import type { EventRecord } from '../../src/events/event-bus.js';
import { eventOf } from '../../src/events/event-record.js';
import type { Projection } from '../../src/events/projection.js';
import { republish, republishEnd, republishStart } from '../../src/events/republish.js';
import { Dice } from '../../testing/seeded.js';
import { propertyRuns } from '../../testing/property-limit.js';

const KEYS = 12;

/** A projection that takes part in rebuilds. */
type Rebuilt = Required<Omit<Projection<BlockState>, 'name'>>;

/** The store whose projection of blocks is tested. */
export interface ProjectionUnderTest {
  partitions: number;
  /** The number of worlds, which PULSO_PROPERTY_TIMES multiplies. */
  worlds: number;
  /** A process that projects blocks and starts with an empty cache. */
  aReplica(): Rebuilt;
  /** Damage to the row of each key that a defect or an operator could have caused. */
  spoil(keys: readonly string[], dice: Dice): Promise<void>;
  /** Fails unless the rows equal the owner's states, by their keys. */
  expectEqual(owned: ReadonlyMap<string, BlockState>): Promise<void>;
}

export async function deliver(replica: Rebuilt, event: EventRecord): Promise<void> {
  const [start, end] = [republishStart(event), republishEnd(event)];
  if (start) await replica.republishStarted(start);
  else if (end) await replica.republishEnded(end);
  else await replica.apply(blockTopic.codec.decode(event.payload), event);
}

/** The owner of blocks, its log in partitions, and two replicas that consume it as one group. */
class World {
  readonly owned = new Map<string, BlockState>();
  private readonly logs: EventRecord[][];
  private readonly replicas: Rebuilt[];
  private version = 0;
  private delivering = Promise.resolve(false);

  constructor(
    private readonly store: ProjectionUnderTest,
    private readonly dice: Dice,
  ) {
    this.logs = Array.from({ length: store.partitions }, () => []);
    this.replicas = [store.aReplica(), store.aReplica()];
  }

  /** The owner changes a row and publishes it. */
  change(): void {
    const blockerId = `u${this.dice.below(KEYS)}`;
    // Like `nextVersion`, in longer steps: a damaged row whose version is one higher never has the next version.
    this.version = Math.max(this.version + 10, Date.now() * 1000);
    const state = { blockerId, blockedId: 'v', version: this.version, active: this.dice.chance(0.5) };
    this.owned.set(blockTopic.keyOf(state), state);
    this.append(eventOf(blockTopic, state));
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
      partitions: async () => this.logs.length,
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

  /** Delivers everything. The rows must then equal the owner's states. */
  async settle(): Promise<void> {
    while (await this.deliverOne());
    await this.store.expectEqual(this.owned);
  }

  private async deliverNext(): Promise<boolean> {
    const filled = this.logs.filter((log) => log.length > 0);
    if (filled.length === 0) return false;
    const log = this.dice.pick(filled);
    const place = this.dice.below(this.replicas.length);
    await deliver(this.replicas[place]!, log[0]!);
    if (this.dice.chance(0.1)) this.replicas[place] = this.store.aReplica();
    else log.shift();
    return true;
  }

  private append(event: EventRecord): void {
    const partition = event.partition ?? event.key.charCodeAt(1) % this.logs.length;
    this.logs[partition]!.push(event);
  }
}

/** Rebuilds damaged rows by republications in seeded worlds. */
export function describeRebuilds(store: ProjectionUnderTest): void {
  const worlds = propertyRuns(store.worlds);
  it.each(Array.from({ length: worlds }, (_, seed) => seed + 1))(
    'equal the owner’s states after a rebuild, with partitions, replicas, kills and changes meanwhile: world %d',
    async (seed) => {
      const dice = new Dice(seed);
      const world = new World(store, dice);
      for (let count = 0; count < 2 * KEYS; count += 1) world.change();
      await world.settle();
      await store.spoil([...world.owned.keys(), 'x_stray', 'y_stray'], dice);
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
      await world.settle();
      world.change();
      await world.settle();
    },
  );
}
