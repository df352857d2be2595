import { EVENTS_KEPT_MS } from '@pulso/platform/events/event-bus';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { Position } from '@pulso/platform/paging/list-page';
import type { NotificationDocument } from './notification.schema.js';

/** What somebody did to something of the receiver. */
export type Cause = Pick<
  NotificationDocument,
  'receiverId' | 'actorId' | 'type' | 'targetId' | 'postId' | 'commentId' | 'strangerOf'
>;

/** What a state says of the notification of a cause. */
export interface CauseState {
  version: number;
  /** False once it is taken back. */
  due: boolean;
  /** When the cause happened, in milliseconds since the epoch, if the state says so. */
  since?: number;
}

/** The unique key of a notification (NOTIF-3). */
export const keyOf = ({
  type,
  targetId,
  actorId,
  receiverId,
}: Omit<Cause, 'postId' | 'commentId' | 'strangerOf'>) => `${type} ${targetId} ${actorId} ${receiverId}`;

/** Throws for a malformed id. */
export function checkCause(cause: Cause): void {
  const { receiverId, actorId, targetId, postId = targetId, commentId = targetId } = cause;
  for (const id of [receiverId, actorId, targetId, postId, commentId]) {
    if (!isId(id)) throw new Error(`not an id in the cause of a notification: ${id}`);
  }
}

/**
 * Whether the state changed long after its cause. No first event about a cause is that late, so this is a change of something
 * that happened before there were notifications, and no news.
 */
export function isHistory({ version, since }: CauseState): boolean {
  return since !== undefined && version / 1000 - since > EVENTS_KEPT_MS;
}

/** Events arrive within seconds, but later than this after an outage, and in the demo, which writes into the past. */
const LATE_MS = 10 * 60_000;

/**
 * The time of a notification that is made now: usually now, so that what arrives is newer than what was read before. One
 * that comes late has the time of its state, a version's microseconds, as 'just now' would be wrong (NOTIF-3).
 */
export function madeAt({ version }: CauseState, now: number): Date {
  const happened = version / 1000;
  return new Date(now - happened > LATE_MS ? happened : now);
}

/** The time in the mark of a notification that has never been made. */
export const NEVER = new Date(0);

/** See `timeOf`. */
const AGAIN_MS = 24 * 60 * 60_000;

/**
 * The time of a notification that exists, after a newer state. One that was taken back and is given again keeps its time if it
 * was read, or if less than 24 hours have passed: repeating an action does not notify again (NOTIF-3).
 */
export function timeOf(
  { live, read, createdAt }: Pick<NotificationDocument, 'live' | 'read' | 'createdAt'>,
  state: CauseState,
  now: number,
): Date {
  if (!state.due || live || read) return createdAt;
  const anew = madeAt(state, now);
  return anew.getTime() - createdAt.getTime() < AGAIN_MS ? createdAt : anew;
}

export const positionOf = ({ _id, createdAt }: NotificationDocument): Position => {
  return { id: _id, createdAt: createdAt.getTime() };
};
