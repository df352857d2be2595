/** Focuses a control; in a text that is there already one writes on at its end. */
export function focusAtEnd(control: HTMLElement | null | undefined): void {
  control?.focus();
  if (control instanceof HTMLTextAreaElement) {
    control.setSelectionRange(control.value.length, control.value.length);
  }
}
