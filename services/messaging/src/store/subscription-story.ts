import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import type { MessageEventFields } from './message.schema.js';

/** What messaging knows of a subscription, so that it sees what has changed. */
export interface SubscriptionStory {
  version: number;
  active: boolean;
  /** The version with which the present or latest period of access began: subscribing again is another beginning. */
  beganAt: number;
  /** When the access ends; null where no end is known. */
  endsAt: number | null;
}

/** A system message about a subscription (MSG-10). */
export interface SubscriptionNote extends MessageEventFields {
  /** The same for the same note, whatever state it comes from. */
  key: string;
}

/**
 * The story after a newer state, the notes about what has changed, and the time of the state. There are no notes about an ended
 * subscription that was not known before. Access ends at its time without an event (SUBS-30): a state after that time makes a
 * note about the end, and one about a new beginning if it is active.
 */
export function continueStory(
  before: SubscriptionStory | null,
  { userId, coachId, version, active, accessUntil }: SubscriptionState,
): { story: SubscriptionStory; notes: SubscriptionNote[]; at: Date } {
  // Versions are microseconds since the epoch: a state has no other time.
  const at = new Date(Math.floor(version / 1000));
  const lapsedAt =
    before?.active && before.endsAt !== null && before.endsAt <= at.getTime() ? before.endsAt : undefined;
  const hadAccess = before?.active === true && lapsedAt === undefined;
  const began = active && !hadAccess;
  const beganAt = began ? version : (before?.beganAt ?? version);
  const story = { version, active, beganAt, endsAt: active ? (accessUntil ?? null) : null };
  const nameOf = (beginning: number) => `${userId}_${coachId}:${beginning}`;
  const name = nameOf(beganAt);
  const notes: SubscriptionNote[] = [];
  if (before?.active && (!active || lapsedAt !== undefined)) {
    const endedAt = lapsedAt === undefined ? at : new Date(lapsedAt);
    notes.push({ kind: 'ended', at: endedAt, key: `ended:${nameOf(before.beganAt)}` });
  }
  if (began) notes.push({ kind: 'started', at, key: `started:${name}` });
  if (active && accessUntil !== undefined && (began || accessUntil !== before?.endsAt)) {
    notes.push({ kind: 'ends', at: new Date(accessUntil), key: `ends:${name}:${accessUntil}` });
  }
  return { story, notes, at };
}
