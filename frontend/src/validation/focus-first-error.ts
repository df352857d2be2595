/** Moves the focus to the first field of `form` that is marked invalid, once React has painted the marks. */
export function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
