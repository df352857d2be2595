import { postTopic } from '@pulso/contracts/topics/posts';
import { aLog, skippedIn } from '../../../test/events/logged.js';
import { memoryStartPoints } from '../../../test/events/recorder.js';
import type { Consumer } from '../event-bus.js';
import { startOffsets } from './start-offsets.js';

const TOPIC = `test.${postTopic.name}`;

describe('the start of a reaction', () => {
  let points = memoryStartPoints();
  beforeEach(() => void (points = memoryStartPoints()));

  const start = async (positions: { first: number; end: number; committed?: number }[]) => {
    const { logger, lines } = aLog();
    const consumer: Consumer<never> = {
      ...{ group: 'mail', topic: postTopic as never, reaction: true, handle: async () => undefined },
      keepStart: (offsets) => points.keep('mail', postTopic.name, offsets),
    };
    const admin = { positions: async () => positions.map((one) => ({ committed: undefined, ...one })) };
    const starts = await startOffsets(admin, 'test.mail', new Map([[TOPIC, consumer as never]]), logger);
    return { starts: Object.fromEntries(starts), skipped: skippedIn(lines) };
  };
  const skipping = (skipped: number) => [{ group: 'mail', topic: postTopic.name, skipped }];

  it('is the end of its topic, and says how many events it skips', async () => {
    const positions = [
      { first: 2, end: 7 },
      { first: 0, end: 1 },
    ];
    expect(await start(positions)).toEqual({
      starts: { [`${TOPIC}/0`]: 7, [`${TOPIC}/1`]: 1 },
      skipped: skipping(6),
    });
  });

  it('is told once, also if the reaction has committed nothing before its next start', async () => {
    await start([{ first: 0, end: 4 }]);
    expect(await start([{ first: 0, end: 9 }])).toEqual({ starts: { [`${TOPIC}/0`]: 4 }, skipped: [] });
  });

  it('is not told where no event came before it', async () => {
    expect((await start([{ first: 5, end: 5 }])).skipped).toEqual([]);
  });

  it('is not told by a group that has read its topic before start points were kept', async () => {
    expect((await start([{ first: 0, end: 9, committed: 3 }])).skipped).toEqual([]);
    expect((await start([{ first: 0, end: 9 }])).starts).toEqual({ [`${TOPIC}/0`]: 0 });
  });
});
