import { BatchedReads } from '../store/batched-reads.js';
import type { PostsStore } from '../store/posts-store.js';
import { isDuplicateKey, READ_BUDGET_MS } from '../store/queries.js';

export interface Viewer {
  readonly id: string;
  readonly graphVersion: number;
  readonly likeVersion: number;
}

/**
 * The counters by which what is remembered of a viewer is checked, one tiny read a request. The rule that keeps them
 * right in races and crashes: whoever changes rows bumps the counter AFTER the rows are written and BEFORE the change
 * is acknowledged (to the caller, or to the bus, which delivers again after a crash). Whoever reads takes the counter
 * BEFORE the rows and files them under it. So what is filed under the newest counter holds every acknowledged change.
 */
export class Viewers {
  private readonly reads: BatchedReads<Viewer>;

  constructor(private readonly store: PostsStore) {
    this.reads = new BatchedReads(async (ids) => this.readAll(ids));
  }

  async read(id: string): Promise<Viewer> {
    return (await this.reads.read(id)) ?? { id, graphVersion: 0, likeVersion: 0 };
  }

  async graphChanged(id: string): Promise<void> {
    await this.bump(id, 'graphVersion');
  }

  async likesChanged(id: string): Promise<void> {
    await this.bump(id, 'likeVersion');
  }

  private async bump(id: string, counter: 'graphVersion' | 'likeVersion'): Promise<void> {
    const increment = () =>
      this.store.raw.viewers.updateOne({ _id: id }, { $inc: { [counter]: 1 } }, { upsert: true });
    try {
      await increment();
    } catch (error) {
      // Two first changes at the same time: the other one has created the row.
      if (!isDuplicateKey(error)) throw error;
      await increment();
    }
  }

  private async readAll(ids: string[]): Promise<Map<string, Viewer>> {
    const rows = await this.store.raw.viewers
      .find({ _id: { $in: ids } }, { maxTimeMS: READ_BUDGET_MS })
      .limit(ids.length)
      .toArray();
    return new Map(
      rows.map(({ _id, graphVersion, likeVersion }) => {
        const id = _id as unknown as string;
        return [id, { id, graphVersion: graphVersion ?? 0, likeVersion: likeVersion ?? 0 }];
      }),
    );
  }
}
