import type { HiddenPostRow } from './hidden-post.schema.js';
import { KnownHiddenPosts } from './known-hidden-posts.js';

const aRow = (_id: string, version: number, hidden: boolean): HiddenPostRow => {
  const decision = { hidden, reason: 'spam', decidedAt: new Date(0) };
  return { _id, version, ...decision, authorId: 'ana', changedAt: new Date(0) };
};

/** Hidden posts over a store that returns its rows when the test releases them. */
function overRows() {
  const reads: ((rows: HiddenPostRow[]) => void)[] = [];
  const rows = { find: () => new Promise<HiddenPostRow[]>((resolve) => reads.push(resolve)) };
  const nobody = { onRebuilt: () => undefined, watch: () => undefined };
  const nothing = { listHidden: async () => [] };
  const hidden = new KnownHiddenPosts(rows as never, nobody as never, nobody as never, nothing as never);
  return { reads, hidden };
}

describe('KnownHiddenPosts', () => {
  it('drops on a reload posts that are gone or had claimed a newer version', async () => {
    const { reads, hidden } = overRows();
    hidden.refresh([aRow('gone', 1, true), aRow('older', 9e15, true)]);
    const reload = hidden.rebuilt();
    expect(hidden.byAuthors(['ana'])).toEqual(['gone', 'older']);
    reads[0]!([aRow('older', 5, false)]);
    await reload;
    expect(hidden.byAuthors(['ana'])).toEqual([]);
  });

  it('keeps a change that arrives during a reload, after its row was read', async () => {
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
