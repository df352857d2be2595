/** Notices other than errors close after this time in ms (UI-33). */
export const AUTO_CLOSE = 3000;

export type NoticeType = 'success' | 'error' | 'warning' | 'info';

export interface Notice {
  id: number;
  type: NoticeType;
  message: string;
  /** The type's default title when absent. */
  title?: string;
  /** Gets the focus after the dialog when the element that had it may be gone. */
  returnFocusTo?: () => HTMLElement | null | undefined;
}

export interface Question {
  id: number;
  message: string;
  title?: string;
  confirmLabel?: string;
  cancelLabel?: string;
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

let state: Feedback = { dialogs: [], toasts: [], question: undefined };
let lastId = 0;
const listeners = new Set<() => void>();

function setState(next: Partial<Feedback>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export const getFeedback = (): Feedback => state;

export function subscribeToFeedback(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Nothing is shown without a message. */
type NoticeInput = Omit<Notice, 'id' | 'message'> & { message: string | undefined };

/** Opens the notification dialog: for outcomes that the user must read. */
export function notify({ message, ...notice }: NoticeInput): void {
  if (message === undefined) return;
  setState({ dialogs: [...state.dialogs, { ...notice, message, id: ++lastId }] });
}

/** Shows a toast: for outcomes that the user may miss. The same text is shown once. */
export function toast({ message, ...notice }: NoticeInput): void {
  if (message === undefined) return;
  const others = state.toasts.filter((shown) => shown.message !== message);
  setState({ toasts: [...others, { ...notice, message, id: ++lastId }] });
}

export function closeNotice(id: number): void {
  setState({
    dialogs: state.dialogs.filter((notice) => notice.id !== id),
    toasts: state.toasts.filter((notice) => notice.id !== id),
  });
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
