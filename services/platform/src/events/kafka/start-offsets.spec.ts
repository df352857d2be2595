import { postTopic } from '@pulso/contracts/topics/posts';
import { aLog, skippedIn } from '../../../test/events/logged.js';
import { memoryStartPoints } from '../../../test/events/recorder.js';
import type { Consumer } from '../event-bus.js';
import { startOffsets } from './start-offsets.js';

const TOPIC = `test.${postTopic.name}`;

describe('the start of a reaction', () => {
  let points = memoryStartPoints();
  beforeEach(() => void (points = memoryStartPoints()));

  type Positions = { first: number; end: number; committed?: number }[];

  const start = async (
    positions: Positions,
    former: Readonly<Record<string, Positions>> = {},
    fields: Partial<Consumer<never>> = {},
  ) => {
    const { logger, lines } = aLog();
    const formerGroups = Object.keys(former);
    const consumer: Consumer<never> = {
      ...{ group: 'mail', topic: postTopic as never, reaction: true, handle: async () => undefined },
      formerGroups,
      keepStart: (offsets) => points.keep('mail', postTopic.name, offsets, formerGroups),
      ...fields,
    };
    const byGroup: Record<string, Positions> = { mail: positions, ...former };
    const admin = {
      positions: async (id: string) =>
        byGroup[id.replace('test.', '')]!.map((one) => ({ committed: undefined, ...one })),
    };
    const consumers = new Map([[TOPIC, consumer as never]]);
    const starts = await startOffsets({ admin, idOf: (group) => `test.${group}`, consumers, logger });
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

  it('is where it stood under its latest former name, where it has not committed', async () => {
    const [end, none] = [
      { first: 0, end: 9 },
      { first: 0, end: 9 },
    ];
    const former = {
      never: [none, none, none],
      letters: [{ ...end, committed: 4 }, { ...end, committed: 5 }, none],
      oldest: [
        { ...end, committed: 1 },
        { ...end, committed: 1 },
        { ...end, committed: 1 },
      ],
    };
    expect(await start([end, { ...end, committed: 8 }, end], former)).toEqual({
      starts: { [`${TOPIC}/0`]: 4, [`${TOPIC}/2`]: 0 },
      skipped: [],
    });
  });

  it('is the one that its former name had, if the brokers have forgotten both groups', async () => {
    await points.keep('letters', postTopic.name, [3]);
    const forgotten = [{ first: 0, end: 9 }];
    expect(await start(forgotten, { letters: forgotten })).toEqual({
      starts: { [`${TOPIC}/0`]: 3 },
      skipped: [],
    });
  });

  it('is where a projection stood under its former name, and the beginning for a new projection', async () => {
    const projection = { reaction: false, keepStart: undefined };
    const [fresh, known] = [[{ first: 0, end: 9 }], [{ first: 0, end: 9, committed: 7 }]];
    expect((await start(fresh, { letters: known }, projection)).starts).toEqual({ [`${TOPIC}/0`]: 7 });
    expect((await start(fresh, { letters: fresh }, projection)).starts).toEqual({ [`${TOPIC}/0`]: 0 });
    expect((await start(fresh, {}, projection)).starts).toEqual({});
  });
});
