import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import type { MessageEventFields } from '../message/message.schema.js';

/** What messaging knows of a subscription, to tell what has changed. */
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
  /** The same for the same note, whatever state tells it. */
  key: string;
}

/** The story after a newer state, and what is to be told of it. An ended subscription of which nothing is known tells nothing. */
export function continueStory(
  before: SubscriptionStory | null,
  { userId, coachId, version, active, accessUntil }: SubscriptionState,
): { story: SubscriptionStory; notes: SubscriptionNote[] } {
  const began = active && !before?.active;
  const beganAt = began ? version : (before?.beganAt ?? version);
  const story = { version, active, beganAt, endsAt: active ? (accessUntil ?? null) : null };
  const name = `${userId}_${coachId}:${beganAt}`;
  // Versions are microseconds since the epoch: a state has no other time.
  const at = new Date(Math.floor(version / 1000));
  const notes: SubscriptionNote[] = [];
  if (began) notes.push({ kind: 'started', at, key: `started:${name}` });
  if (active && accessUntil !== undefined && (began || accessUntil !== before?.endsAt)) {
    notes.push({ kind: 'ends', at: new Date(accessUntil), key: `ends:${name}:${accessUntil}` });
  }
  if (!active && before?.active) notes.push({ kind: 'ended', at, key: `ended:${name}` });
  return { story, notes };
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** The English text (MSG-10); clients translate the event. */
export function textOf({ kind, at }: MessageEventFields): string {
  switch (kind) {
    case 'started':
      return 'The subscription has begun.';
    case 'ends':
      return `The subscription ends on ${DAY.format(at)}.`;
    case 'ended':
      return 'The subscription has ended.';
  }
}
