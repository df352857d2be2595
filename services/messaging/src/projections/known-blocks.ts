import { Injectable } from '@nestjs/common';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { type BlockRow, BlockRows } from './block.schema.js';
import { OpenPages } from './open-pages.js';

/** Messaging's projection of blocks, which forbid messages (PEOPLE-25); it is read from the store each time. */
@Injectable()
export class KnownBlocks extends ProjectedRows<BlockState, BlockRow> {
  readonly topic = blockTopic;

  constructor(
    rows: BlockRows,
    rebuilds: Rebuilds,
    private readonly pages: OpenPages,
  ) {
    super(rows, rebuilds);
  }

  /** Those of `others` who have blocked the user or whom the user has blocked. */
  async among(userId: string, others: Iterable<string>): Promise<ReadonlySet<string>> {
    const keys = [...new Set(others)].flatMap((other) => [`${userId}_${other}`, `${other}_${userId}`]);
    if (keys.length === 0) return new Set();
    const found = await this.rows.find({ _id: { $in: keys }, active: true }, { projection: { _id: 1 } });
    return new Set(
      found.map(({ _id }) => {
        const [blocker, blocked] = blockTopic.partsOf(_id);
        return blocker === userId ? blocked : blocker;
      }),
    );
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

  /** No row is cached; but a block takes the other's messages out of the badges of both (MSG-9). */
  protected override written({ blockerId, blockedId }: BlockState): void {
    this.pages.signal([blockerId, blockedId]);
  }

  protected rebuilt(): void {}
}
