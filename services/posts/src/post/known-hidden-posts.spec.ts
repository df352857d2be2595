import type { HiddenPostRow } from './hidden-post.schema.js';
import { KnownHiddenPosts } from './known-hidden-posts.js';

const aRow = (_id: string, version: number, hidden: boolean): HiddenPostRow => {
  return { _id, version, hidden, authorId: 'ana', changedAt: new Date(0) };
};

/** Over a store whose rows are handed out when a test says so. */
function overRows() {
  const reads: ((rows: HiddenPostRow[]) => void)[] = [];
  const rows = { find: () => new Promise<HiddenPostRow[]>((resolve) => reads.push(resolve)) };
  const nobody = { onRebuilt: () => undefined, follow: () => undefined };
  const hidden = new KnownHiddenPosts(rows as never, nobody as never, nobody as never, {} as never);
  return { reads, hidden };
}

describe('KnownHiddenPosts', () => {
  it('forgets with a reload what is gone, or claimed a newer version than it has', async () => {
    const { reads, hidden } = overRows();
    hidden.refresh([aRow('gone', 1, true), aRow('older', 9e15, true)]);
    const reload = hidden.rebuilt();
    expect(hidden.byAuthors(['ana'])).toEqual(['gone', 'older']);
    reads[0]!([aRow('older', 5, false)]);
    await reload;
    expect(hidden.byAuthors(['ana'])).toEqual([]);
  });

  it('keeps what changes while a reload is under way that has read before', async () => {
    const { reads, hidden } = overRows();
    const [first, second] = [hidden.rebuilt(), hidden.rebuilt()];
    hidden.refresh([aRow('post', 6, true)]);
    for (const [index, reload] of [first, second].entries()) {
      reads[index]!([aRow('post', 5, false)]);
      await reload;
      expect([hidden.isHidden('post'), hidden.byAuthors(['ana'])]).toEqual([true, ['post']]);
    }
  });
});
