import { newId } from '@pulso/platform/ids/uuid-v7';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { FeedIndex } from '../feed-index/feed-index.js';
import { ViewerGraphs } from './viewer-graphs.js';

/** Every viewer follows `following` and blocks `blocking`; `asked` collects the viewers whose follows were read. */
function over({ following = 0, blocking = 0, maxRelations = 100 }) {
  const asked: string[] = [];
  const rowsOf = (field: string, count: number) =>
    Array.from({ length: count }, () => ({ [field]: newId() }));
  const rows = (find: (filter: Record<string, unknown>) => object[]) =>
    ({ find: async (filter: Record<string, unknown>) => find(filter) }) as never;
  const graphs = new ViewerGraphs(
    rows(({ followerId }) => {
      asked.push(followerId as string);
      return rowsOf('targetId', following);
    }),
    rows(({ blockerId }) => (blockerId ? rowsOf('blockedId', blocking) : [])),
    rows(() => []),
    new FeedIndex(),
    new ManualClock(0),
    maxRelations,
  );
  return { graphs, asked };
}

const aViewer = (graphVersion = 1) => ({ id: newId(), graphVersion, likeVersion: 0 });

describe('ViewerGraphs', () => {
  it('uses the cache until the graph version grows', async () => {
    const { graphs, asked } = over({ following: 3 });
    const viewer = aViewer();
    const graph = await graphs.feed(viewer);
    expect(await graphs.feed(viewer)).toBe(graph);
    await graphs.feed({ ...viewer, graphVersion: 2 });
    expect(asked).toEqual([viewer.id, viewer.id]);
  });

  it.each([{ following: 30 }, { blocking: 30 }])('evicts the oldest for relations such as %j', async (of) => {
    const { graphs, asked } = over(of);
    const [first, second, third] = [aViewer(), aViewer(), aViewer()];
    for (const viewer of [first, second, third]) await graphs.feed(viewer);
    await graphs.feed(third);
    await graphs.feed(second);
    expect(asked).toHaveLength(3);
    await graphs.feed(first);
    expect(asked).toHaveLength(4);
  });

  it.each([0, 1, 79, 80, 81, 999])('keeps a viewer who follows %d in a cache for 100', async (following) => {
    const { graphs, asked } = over({ following });
    const viewer = aViewer();
    const graph = await graphs.feed(viewer);
    expect(await graphs.feed(viewer)).toBe(graph);
    expect(asked).toHaveLength(1);
  });
});
