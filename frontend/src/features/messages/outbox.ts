import { newKey } from '../../server/http/idempotency.js';
import { keepDraft, keptDraft, useKeptDraft } from '../../drafts/drafts.js';
import { isBlank } from '../../validation/text.js';

/** A message on its way. */
export interface Outgoing {
  /** Its `Idempotency-Key`, made together with its text (MSG-8). */
  key: string;
  /** The id of the receiver. */
  to: string;
  content: string;
  /** ISO 8601. */
  at: string;
  /** Why it was not sent; undefined while it is on its way. */
  failed?: string;
  /** Why this user takes no messages: sending it again would not help. */
  refused?: string;
  /** It failed without the network, and is sent when that is back; those to the same user that follow wait, too. */
  waits?: boolean;
}

/** Kept as drafts are: over a reload of the page, for the same user only, and not after a log-out (UI-41). */
const DRAFT_KEY = 'outbox';
const NO_MESSAGES: readonly Outgoing[] = [];

export const outgoingOf = (viewerId: string): readonly Outgoing[] =>
  keptDraft<readonly Outgoing[]>(viewerId, DRAFT_KEY) ?? NO_MESSAGES;

export const useOutgoing = (viewerId: string): readonly Outgoing[] =>
  useKeptDraft<readonly Outgoing[]>(viewerId, DRAFT_KEY) ?? NO_MESSAGES;

function change(viewerId: string, next: readonly Outgoing[]): void {
  keepDraft(viewerId, DRAFT_KEY, next.length > 0 ? next : undefined);
}

export function addOutgoing(viewerId: string, to: string, content: string): void {
  const all = outgoingOf(viewerId);
  const { failed, waits } = all.find((one) => one.to === to && one.waits) ?? {};
  change(viewerId, [...all, { key: newKey(), to, content, at: new Date().toISOString(), failed, waits }]);
}

export const dropOutgoing = (viewerId: string, key: string): void =>
  change(
    viewerId,
    outgoingOf(viewerId).filter((one) => one.key !== key),
  );

/** Takes a discard back. */
export const putBack = (viewerId: string, outgoing: Outgoing): void =>
  change(
    viewerId,
    [...outgoingOf(viewerId), outgoing].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
  );

type Failure = Pick<Outgoing, 'failed' | 'waits' | 'refused'>;

const replace = (viewerId: string, failure: Failure, isMeant: (outgoing: Outgoing) => boolean): void =>
  change(
    viewerId,
    outgoingOf(viewerId).map((one) => (isMeant(one) ? { ...one, ...failure } : one)),
  );

/** Marks those on their way that `isFailed` names. */
export const markFailed = (
  viewerId: string,
  failure: Failure,
  isFailed: (outgoing: Outgoing) => boolean,
): void => replace(viewerId, failure, (one) => one.failed === undefined && isFailed(one));

/** Whether messages to `to` wait for the network. */
export const isWaiting = (viewerId: string, to: string): boolean =>
  outgoingOf(viewerId).some((one) => one.to === to && one.waits === true);

const ON_ITS_WAY: Failure = { failed: undefined, waits: undefined, refused: undefined };

/** Those to `to` that wait for the network are on their way again. */
export const releaseWaiting = (viewerId: string, to: string): void =>
  replace(viewerId, ON_ITS_WAY, (one) => one.to === to && one.waits === true);

/** The message and those to the same user that failed after it are on their way again, in their order. */
export function markRetried(viewerId: string, key: string): void {
  const all = outgoingOf(viewerId);
  const from = all.findIndex((one) => one.key === key);
  const to = all[from]?.to;
  change(
    viewerId,
    all.map((one, index) => (index >= from && one.to === to ? { ...one, ...ON_ITS_WAY } : one)),
  );
}

const draftTo = (userId: string) => `message:${userId}`;

/** What is written to a user and not sent yet. */
export const useMessageDraft = (viewerId: string, to: string): string =>
  useKeptDraft<string>(viewerId, draftTo(to)) ?? '';

export const setMessageDraft = (viewerId: string, to: string, text: string): void =>
  keepDraft(viewerId, draftTo(to), text || undefined, { unsent: !isBlank(text) });
