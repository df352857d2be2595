import { closeNotice, toast } from './feedback-store.js';
import type { Notice } from './feedback-store.js';

export interface Undoable extends Pick<Notice, 'type' | 'message'> {
  /** What it is about, such as an id: whoever changes the same subject calls `settle` first. */
  subject: string;
  undoLabel: string;
  /** Takes it back. */
  undo: () => void;
  /** Makes it final on the server. False if that failed, which it has told the user. Without it nothing is to be sent. */
  send?: () => Promise<boolean>;
}

/** What can be taken back at the moment. */
let current: { subject: string; notice?: number; sends: boolean } | undefined;

/** What is being sent, by subject. */
const sending = new Map<string, Promise<boolean>>();

/**
 * Shows that something was done, with Undo. It is made final when its toast goes: after a while, dismissed, by another
 * undoable act, by `settle`, or, if it is to be sent, when the page is hidden or left (UI-56).
 */
export function undoable({ subject, undoLabel, undo, send, ...notice }: Undoable): void {
  listen();
  void settle();
  let undone = false;
  const mine: typeof current = { subject, sends: send !== undefined };
  const run = () => {
    undone = true;
    undo();
  };
  const onClosed = () => {
    if (current === mine) current = undefined;
    if (undone || !send) return;
    const sent = send().finally(() => {
      if (sending.get(subject) === sent) sending.delete(subject);
    });
    sending.set(subject, sent);
  };
  current = mine;
  mine.notice = toast({ ...notice, action: { label: undoLabel, run }, onClosed });
  // A dialog has the same text: there is no toast to wait for.
  if (mine.notice === undefined) onClosed();
}

/**
 * Makes final what can still be taken back, and waits for what is being sent; only of `subject` if it is given.
 * @returns false if something could not be sent.
 */
export async function settle(subject?: string): Promise<boolean> {
  if (current?.notice !== undefined && (subject ?? current.subject) === current.subject)
    closeNotice(current.notice);
  const sent = [...sending].flatMap(([of, result]) => ((subject ?? of) === of ? result : []));
  return (await Promise.all(sent)).every(Boolean);
}

/** A hidden page may be ended at any time, without another event. */
function settleOnLeave(): void {
  if (current?.sends) void settle();
}

function settleOnceHidden(): void {
  if (document.visibilityState === 'hidden') settleOnLeave();
}

/** Once, however often: a listener is added once. */
function listen(): void {
  window.addEventListener('pagehide', settleOnLeave);
  document.addEventListener('visibilitychange', settleOnceHidden);
}
