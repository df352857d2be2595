import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { SignalledCache } from '@pulso/platform/memory/signalled-cache';
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
  private readonly known: SignalledCache<Pair>;

  constructor(
    rows: BlockRows,
    rebuilds: Rebuilds,
    signals: Signals,
    clock: Clock,
    private readonly pages: OpenPages,
  ) {
    super(rows, rebuilds);
    this.known = new SignalledCache(signals, clock, { name: 'messaging.blocks', most: REMEMBERED_PAIRS });
  }

  onModuleDestroy(): void {
    this.known.end();
  }

  /** Those of `others` who have blocked the user or whom the user has blocked. */
  async among(userId: string, others: Iterable<string>): Promise<ReadonlySet<string>> {
    const blocked = new Set<string>();
    const missing: string[] = [];
    for (const other of new Set(others)) {
      const pair = this.known.get(conversationIdOf(userId, other));
      if (!pair) missing.push(other);
      else if (pair.blocked) blocked.add(other);
    }
    if (missing.length === 0) return blocked;
    const keep = this.known.reading();
    const keys = missing.flatMap((other) => [`${userId}_${other}`, `${other}_${userId}`]);
    const found = await this.rows.find({ _id: { $in: keys }, active: true }, { projection: { _id: 1 } });
    for (const { _id } of found) {
      const [blocker, other] = blockTopic.partsOf(_id);
      blocked.add(blocker === userId ? other : blocker);
    }
    for (const other of missing) keep(conversationIdOf(userId, other), { blocked: blocked.has(other) });
    return blocked;
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

  /** Whoever waits for a version reads the pair anew once it is there. */
  override async versionOf(key: string): Promise<number | undefined> {
    const version = await super.versionOf(key);
    const [blocker, blocked] = blockTopic.partsOf(key);
    this.known.forget(conversationIdOf(blocker, blocked));
    return version;
  }

  /** A block takes the other's messages out of the badges of both (MSG-9). */
  protected override written({ blockerId, blockedId }: BlockState): void {
    this.known.changed(conversationIdOf(blockerId, blockedId));
    this.pages.signal([blockerId, blockedId]);
  }

  protected rebuilt(): void {
    this.known.clear();
  }
}
