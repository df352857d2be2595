import type { ReactNode } from 'react';

/** Notices other than errors close after this time in ms (UI-33). */
export const AUTO_CLOSE = 3000;
/** Those that offer an action stay longer. */
export const AUTO_CLOSE_WITH_ACTION = 10_000;

export type NoticeType = 'success' | 'error' | 'warning' | 'info';

export interface Notice {
  id: number;
  type: NoticeType;
  message: string;
  /** The type's default title when absent. */
  title?: string;
  /** A button beside the text, such as Undo; a press also closes the notice. */
  action?: { label: string; run: () => void };
  /** What failed or succeeded, such as "like-post:" with an id. A success takes the errors of its own act away (UI-33). */
  act?: string;
  /** Called once when the notice goes, for whatever reason. */
  onClosed?: () => void;
  /** In place of OK, in the dialog: the ways on. Such a dialog does not close by itself. */
  actions?: (close: () => void) => ReactNode;
  /** Gets the focus after the dialog when the element that had it may be gone. */
  returnFocusTo?: () => HTMLElement | null | undefined;
}

export interface Question {
  id: number;
  message: string;
  /** A line of its own after the message. */
  detail?: string;
  title?: string;
  confirmLabel?: string;
  cancelLabel?: string;
  /** What is confirmed cannot be undone: the focus is on Cancel, and the other button is red. */
  danger?: boolean;
  /** Gets the focus afterwards when the element that had it may be gone. */
  returnFocusTo?: () => HTMLElement | null | undefined;
  answer: (confirmed: boolean) => void;
}

export interface Feedback {
  /** A queue: the first one is shown. */
  dialogs: Notice[];
  toasts: Notice[];
  question: Question | undefined;
}

const NOTHING: Feedback = { dialogs: [], toasts: [], question: undefined };

let state = NOTHING;
let lastId = 0;
const listeners = new Set<() => void>();

function setState(next: Partial<Feedback>): void {
  const before = state;
  state = { ...state, ...next };
  for (const listener of listeners) listener();
  for (const notice of [...before.dialogs, ...before.toasts])
    if (!state.dialogs.includes(notice) && !state.toasts.includes(notice)) notice.onClosed?.();
}

export const getFeedback = (): Feedback => state;

/** What a page begins with. */
export const getNoFeedback = (): Feedback => NOTHING;

export function subscribeToFeedback(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Nothing is shown without a message. */
type NoticeInput = Omit<Notice, 'id' | 'message'> & { message: string | undefined };

/** Opens the notification dialog: for outcomes that the user must read. It replaces a toast with the same text. */
export function notify({ message, ...notice }: NoticeInput): void {
  if (message === undefined) return;
  const toasts = state.toasts.filter((shown) => shown.message !== message);
  setState({ toasts, dialogs: [...state.dialogs, { ...notice, message, id: ++lastId }] });
}

/**
 * Shows a toast: for outcomes that the user may miss. The same text is shown once, also when a dialog has it. The success of an
 * act takes away what was said of it before.
 * @returns the toast's id, undefined if it is not shown.
 */
export function toast({ message, ...notice }: NoticeInput): number | undefined {
  if (notice.type === 'success') succeeded(notice.act);
  if (message === undefined || state.dialogs.some((shown) => shown.message === message)) return undefined;
  const others = state.toasts.filter((shown) => shown.message !== message);
  const id = ++lastId;
  setState({ toasts: [...others, { ...notice, message, id }] });
  return id;
}

export function closeNotice(id: number): void {
  setState({
    dialogs: state.dialogs.filter((notice) => notice.id !== id),
    toasts: state.toasts.filter((notice) => notice.id !== id),
  });
}

/** Takes away what was said before of an act that has succeeded now: 'unsubscribed' is no longer true when it 'goes on'. */
export function succeeded(act: string | undefined): void {
  const { dialogs, toasts } = state;
  const isOver = (notice: Notice) => act !== undefined && notice.act === act;
  if (![...dialogs, ...toasts].some(isOver)) return;
  const remaining = (notices: Notice[]) => notices.filter((notice) => !isOver(notice));
  setState({ dialogs: remaining(dialogs), toasts: remaining(toasts) });
}

/** Asks in the confirm dialog. False when cancelled, also by Escape, backdrop, or another question. */
export function confirm(question: Omit<Question, 'id' | 'answer'>): Promise<boolean> {
  state.question?.answer(false);
  return new Promise((resolve) => {
    const id = ++lastId;
    const answer = (confirmed: boolean) => {
      if (state.question?.id === id) setState({ question: undefined });
      resolve(confirmed);
    };
    setState({ question: { ...question, id, answer } });
  });
}

/** Forgets everything shown (sign-out, tests). */
export function clearFeedback(): void {
  state.question?.answer(false);
  setState({ dialogs: [], toasts: [], question: undefined });
}
