import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { CachedRows } from '@pulso/platform/memory/cached-rows';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';
import { conversationIdOf } from '../store/conversation.js';
import { type BlockRow, BlockRows } from './block.schema.js';
import { OpenPages } from './open-pages.js';

/** Some 300 bytes each. */
const REMEMBERED_PAIRS = 50_000;

interface Pair {
  /** One of the two has blocked the other. */
  readonly blocked: boolean;
}

/**
 * Messaging's projection of blocks, which forbid messages (PEOPLE-25). Each process remembers pairs of users while signals are
 * heard, also those without a block.
 */
@Injectable()
export class KnownBlocks extends ProjectedRows<BlockState, BlockRow> implements OnModuleDestroy {
  readonly topic = blockTopic;
  private readonly known: CachedRows;

  constructor(
    rows: BlockRows,
    rebuilds: Rebuilds,
    signals: Signals,
    clock: Clock,
    private readonly pages: OpenPages,
  ) {
    super(rows, rebuilds);
    this.known = new CachedRows({
      name: 'messaging.blocks',
      signals,
      clock,
      rowsOf: ({ topic, key }) => (topic === blockTopic.name ? [rowOf(blockTopic.partsOf(key))] : []),
      most: REMEMBERED_PAIRS,
    });
  }

  onModuleDestroy(): void {
    this.known.close();
  }

  /** Those of `others` who have blocked the user or whom the user has blocked. */
  async among(userId: string, others: Iterable<string>): Promise<ReadonlySet<string>> {
    const pairs = await this.known.readMany<Pair>(others, {
      nameOf: (other) => conversationIdOf(userId, other),
      rowsOf: (other) => [conversationIdOf(userId, other)],
      load: (missing) => this.stored(userId, missing),
    });
    return new Set([...pairs].filter(([, { blocked }]) => blocked).map(([other]) => other));
  }

  /** Whether one of the two has blocked the other. */
  async between(userId: string, otherId: string): Promise<boolean> {
    return (await this.among(userId, [otherId])).has(otherId);
  }

  /** Throws for malformed user ids. */
  protected fieldsOf({ blockerId, blockedId, active }: BlockState) {
    for (const id of [blockerId, blockedId]) if (!isId(id)) throw new Error(`not a user id: ${id}`);
    return { active };
  }

  /** A block takes the other's messages out of the badges of both (MSG-9). */
  protected override written({ blockerId, blockedId }: BlockState): void {
    this.known.changed(rowOf([blockerId, blockedId]));
    this.pages.signal([blockerId, blockedId]);
  }

  protected rebuilt(): void {
    this.known.forgetAll();
  }

  private async stored(userId: string, others: readonly string[]): Promise<ReadonlyMap<string, Pair>> {
    const keys = others.flatMap((other) => [`${userId}_${other}`, `${other}_${userId}`]);
    const found = await this.rows.find({ _id: { $in: keys }, active: true }, { projection: { _id: 1 } });
    const blocked = new Set(found.flatMap(({ _id }) => blockTopic.partsOf(_id)));
    return new Map(others.map((other) => [other, { blocked: other !== userId && blocked.has(other) }]));
  }
}

const rowOf = ([blockerId, blockedId]: readonly [string, string]) => conversationIdOf(blockerId, blockedId);
