import { dueTime, type NoteSchedule, released, withNotes } from './daily-notes.js';
import type { SubscriptionNote } from './subscription-story.js';

const HOUR = 60 * 60_000;
const START = Date.UTC(2026, 10, 1);

type Kind = SubscriptionNote['kind'];

/** What is told by notes at these hours, each as its kind and the hour at which it is told. */
function tell(steps: readonly [hour: number, ...kinds: Kind[]][], lastHour: number) {
  let schedule: NoteSchedule = { toldAt: {}, owed: [], waiting: [] };
  const told: [Kind, number][] = [];
  const pay = (hour: number) => {
    told.push(...schedule.owed.map(({ kind }): [Kind, number] => [kind, hour]));
    schedule = { ...schedule, owed: [] };
  };
  const left = [...steps];
  for (let hour = 0; hour <= lastHour; hour += 1) {
    const at = new Date(START + hour * HOUR);
    const due = dueTime(schedule);
    if (due && due <= at) schedule = released(schedule, at);
    for (; left[0]?.[0] === hour; left.shift()) {
      const notes = left[0]!.slice(1).map((kind) => ({ kind: kind as Kind, at, key: `${kind} ${hour}` }));
      schedule = withNotes(schedule, notes, at);
    }
    pay(hour);
  }
  expect(left).toEqual([]);
  return { told, waiting: schedule.waiting.map(({ kind }) => kind) };
}

// Rule: MSG-18
describe('the notes of a subscription', () => {
  it('are told at once where none of their kind was told in the last 24 hours', () => {
    expect(
      tell(
        [
          [0, 'started'],
          [1, 'ended'],
          [24, 'started'],
          [25, 'ended'],
        ],
        30,
      ),
    ).toEqual({
      told: [
        ['started', 0],
        ['ended', 1],
        ['started', 24],
        ['ended', 25],
      ],
      waiting: [],
    });
  });

  it('wait for the 24 hours otherwise, and are told if it is still so', () => {
    expect(
      tell(
        [
          [0, 'started'],
          [1, 'ended'],
          [2, 'started'],
        ],
        24,
      ),
    ).toEqual({
      told: [
        ['started', 0],
        ['ended', 1],
        ['started', 24],
      ],
      waiting: [],
    });
  });

  it('cancel each other while they wait', () => {
    const turns = Array.from({ length: 20 }, (_, turn): [number, Kind] => [
      turn,
      turn % 2 ? 'ended' : 'started',
    ]);
    expect(tell(turns, 100)).toEqual({
      told: [
        ['started', 0],
        ['ended', 1],
      ],
      waiting: [],
    });
    expect(tell([...turns, [20, 'started']], 100)).toEqual({
      told: [
        ['started', 0],
        ['ended', 1],
        ['started', 24],
      ],
      waiting: [],
    });
  });

  it('tell the end of a told beginning, and no beginning whose end was not told', () => {
    const steps: [number, Kind][] = [
      [0, 'started'],
      [30, 'ended'],
      [31, 'started'],
      [32, 'ended'],
      [33, 'started'],
    ];
    expect(tell(steps, 100)).toEqual({
      told: [
        ['started', 0],
        ['ended', 30],
        ['started', 31],
      ],
      waiting: [],
    });
  });

  it('keep their order, and of several ends to come the last', () => {
    const steps: [number, ...Kind[]][] = [
      [0, 'started', 'ends'],
      [1, 'ended'],
      [2, 'started', 'ends'],
      [3, 'ends'],
    ];
    expect(tell(steps, 10).waiting).toEqual(['started', 'ends']);
    expect(tell(steps, 24)).toEqual({
      told: [
        ['started', 0],
        ['ends', 0],
        ['ended', 1],
        ['started', 24],
        ['ends', 24],
      ],
      waiting: [],
    });
  });

  it('forget an end to come once it has come', () => {
    expect(
      tell(
        [
          [0, 'started', 'ends'],
          [1, 'ends'],
          [2, 'ended'],
        ],
        50,
      ),
    ).toEqual({
      told: [
        ['started', 0],
        ['ends', 0],
        ['ended', 2],
      ],
      waiting: [],
    });
  });
});
