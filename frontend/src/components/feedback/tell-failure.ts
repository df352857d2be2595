import { notify, toast } from './feedback-store.js';

const TEXT_FIELD = 'input:not([type=checkbox], [type=radio]), textarea, [contenteditable]';

/**
 * Tells that what was sent from `form` failed: in the dialog to who still waits there, to anybody else in a notice (UI-33).
 * The dialog would take the keys of who is writing, there or elsewhere.
 */
export function tellFailure(message: string | undefined, form: HTMLElement | null): void {
  const focused = document.activeElement;
  const waits = form?.contains(focused) === true && !focused?.matches(TEXT_FIELD);
  (waits ? notify : toast)({ type: 'error', message });
}
