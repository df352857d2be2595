import type { ErasureState } from '@pulso/contracts/identity/v1/events';
import { type DueErasure, ErasedUsers, SECOND_LOOK_MS } from '../erasure/erased-users.js';
import type { MarkedUser } from '../erasure/marked-users.js';
import type { Clock } from '../time/clock.js';
import type { ErasedUserRows } from './erased-user.schema.js';
import { isDuplicateKey } from './queries.js';

const PAGE = 1_000;

/** Finds a row if the claim is the present one. */
const claimOf = ({ userId, asked, looks, claimedUntil }: DueErasure) => ({
  ...{ _id: userId, asked, looks },
  dueAt: new Date(claimedUntil),
});

/** `ErasedUsers` in the collection `erasedUsers`. */
export class MongoErasedUsers extends ErasedUsers {
  constructor(
    private readonly rows: ErasedUserRows,
    private readonly clock: Clock,
  ) {
    super();
  }

  async *every(): AsyncIterable<MarkedUser> {
    for (let after = ''; ;) {
      const page = await this.rows.find(
        { _id: { $gt: after } },
        { projection: { changedAt: 1 }, sort: { _id: 1 }, limit: PAGE },
      );
      for (const { _id: userId, changedAt: markedAt } of page) yield { userId, markedAt };
      if (page.length < PAGE) return;
      after = page.at(-1)!._id;
    }
  }

  async since(markedAt: Date): Promise<MarkedUser[]> {
    const found = await this.rows.find({ changedAt: { $gte: markedAt } }, { projection: { changedAt: 1 } });
    return found.map(({ _id, changedAt }) => ({ userId: _id, markedAt: changedAt }));
  }

  async apply({ userId, version: asked }: ErasureState): Promise<boolean> {
    while (!(await this.tryMark(userId, asked)));
    this.noteMarked(userId);
    return true;
  }

  async versionOf(userId: string): Promise<number | undefined> {
    const row = await this.rows.findOne({ _id: userId }, { projection: { asked: 1 } });
    return row?.asked;
  }

  async claim(leaseMs: number): Promise<DueErasure | undefined> {
    for (;;) {
      const now = this.clock.now();
      const due = await this.rows.findOne({ dueAt: { $lte: new Date(now) } }, { sort: { dueAt: 1 } });
      if (!due) return undefined;
      const claimed = await this.rows.changeUnpublished(due, { dueAt: new Date(now + leaseMs) });
      if (claimed) {
        const { _id: userId, asked, looks, dueAt } = claimed;
        return { userId, asked, looks, claimedUntil: dueAt!.getTime() };
      }
    }
  }

  async renew(erasure: DueErasure, leaseMs: number): Promise<DueErasure | undefined> {
    for (;;) {
      const seen = await this.rows.findOne(claimOf(erasure));
      if (!seen) return undefined;
      const claimedUntil = this.clock.now() + leaseMs;
      const renewed = await this.rows.changeUnpublished(seen, { dueAt: new Date(claimedUntil) });
      if (renewed) return { ...erasure, claimedUntil };
    }
  }

  async erased(erasure: DueErasure): Promise<void> {
    for (;;) {
      const seen = await this.rows.findOne(claimOf(erasure));
      if (!seen) return;
      if (seen.looks > 0) {
        await this.rows.setUnpublished(claimOf(erasure), { set: { looks: 2 }, unset: ['dueAt'] });
        return;
      }
      const now = this.clock.now();
      const done = { erasedAt: new Date(now), looks: 1, dueAt: new Date(now + SECOND_LOOK_MS) };
      if (await this.rows.change(seen, { set: done })) return;
    }
  }

  async postpone(erasure: DueErasure, delayMs: number): Promise<void> {
    const dueAt = new Date(this.clock.now() + delayMs);
    await this.rows.setUnpublished(claimOf(erasure), { set: { dueAt } });
  }

  /** Returns false if another writer came in between. */
  private async tryMark(userId: string, asked: number): Promise<boolean> {
    const due = { asked, looks: 0, dueAt: new Date(this.clock.now()) };
    const seen = await this.rows.findOne({ _id: userId });
    if (seen)
      return (
        seen.asked >= asked || (await this.rows.change(seen, { set: due, unset: ['erasedAt'] })) !== null
      );
    try {
      await this.rows.insert({ _id: userId, version: this.rows.firstVersion(), ...due });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }
}
