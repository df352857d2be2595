import type { MessageEventFields } from './message.schema.js';
import type { SubscriptionNote } from './subscription-story.js';

/** The same is told again no sooner: nobody rings twice by doing the same twice (MSG-18, MAIL-10). */
const AGAIN_MS = 24 * 60 * 60_000;

/** Which notes of a subscription its two users get, and when. */
export interface Telling {
  /** When each kind was told last. */
  toldAt: Partial<Record<MessageEventFields['kind'], Date>>;
  /** The notes to tell now. */
  owed: SubscriptionNote[];
  /** What has changed again within 24 hours, in the order in which it is to be told if it stays so. */
  waiting: SubscriptionNote[];
}

/** Adds what a state says at its time. An end and a beginning of which neither was told cancel each other. */
export function withNotes(before: Telling, notes: readonly SubscriptionNote[], at: Date): Telling {
  let telling = before;
  for (const note of notes) telling = released(withNote(telling, note), at);
  return telling;
}

/** Moves the notes that have waited for long enough to those that are owed. */
export function released({ toldAt, owed, waiting }: Telling, at: Date): Telling {
  const [first, ...others] = waiting;
  if (!first || at < nextTime(toldAt, first)) return { toldAt, owed, waiting };
  const told = { toldAt: { ...toldAt, [first.kind]: at }, owed: [...owed, first], waiting: others };
  return released(told, at);
}

/** When the first of the waiting notes is to be told. */
export function dueTime({ toldAt, waiting: [first] }: Telling): Date | undefined {
  return first && nextTime(toldAt, first);
}

function withNote({ waiting, ...rest }: Telling, note: SubscriptionNote): Telling {
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

const nextTime = (toldAt: Telling['toldAt'], { kind }: SubscriptionNote): Date =>
  new Date((toldAt[kind]?.getTime() ?? -AGAIN_MS) + AGAIN_MS);
