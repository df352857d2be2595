import type { MessageEventFields } from './message.schema.js';
import type { SubscriptionNote } from './subscription-story.js';

/** A note of the same kind is not written sooner than this: repeating an action does not notify again (MSG-18, MAIL-10). */
const AGAIN_MS = 24 * 60 * 60_000;

/** Which notes about a subscription its two users get, and when. */
export interface NoteSchedule {
  /** When a note of each kind was owed last. */
  toldAt: Partial<Record<MessageEventFields['kind'], Date>>;
  /** The notes to write now. */
  owed: SubscriptionNote[];
  /** The notes about what has changed again within 24 hours, in the order in which they are written if it stays so. */
  waiting: SubscriptionNote[];
}

/** Adds the notes of a state at its time. An end and a beginning cancel each other while neither was written. */
export function withNotes(before: NoteSchedule, notes: readonly SubscriptionNote[], at: Date): NoteSchedule {
  let schedule = before;
  for (const note of notes) schedule = released(withNote(schedule, note), at);
  return schedule;
}

/** Moves the notes that have waited for long enough to those that are owed. */
export function released({ toldAt, owed, waiting }: NoteSchedule, at: Date): NoteSchedule {
  const [first, ...others] = waiting;
  if (!first || at < nextTime(toldAt, first)) return { toldAt, owed, waiting };
  const next = { toldAt: { ...toldAt, [first.kind]: at }, owed: [...owed, first], waiting: others };
  return released(next, at);
}

/** When the first of the waiting notes is to be written. */
export function dueTime({ toldAt, waiting: [first] }: NoteSchedule): Date | undefined {
  return first && nextTime(toldAt, first);
}

function withNote({ waiting, ...rest }: NoteSchedule, note: SubscriptionNote): NoteSchedule {
  const waits = (kind: SubscriptionNote['kind']) => waiting.some((each) => each.kind === kind);
  const without = (...kinds: SubscriptionNote['kind'][]) =>
    waiting.filter(({ kind }) => !kinds.includes(kind));
  switch (note.kind) {
    case 'started':
      return { ...rest, waiting: waits('ended') ? without('ended') : [...waiting, note] };
    case 'ends':
      return { ...rest, waiting: [...without('ends'), note] };
    case 'ended':
      return { ...rest, waiting: waits('started') ? [] : [...without('ends'), note] };
  }
}

const nextTime = (toldAt: NoteSchedule['toldAt'], { kind }: SubscriptionNote): Date =>
  new Date((toldAt[kind]?.getTime() ?? -AGAIN_MS) + AGAIN_MS);
