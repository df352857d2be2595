/** How long React may take to mark what a mutation was refused for. */
const FRAMES = 30;

/** Moves the focus to the first field of `form` that is marked invalid, as soon as React has painted the marks. */
export function focusFirstError(form: HTMLFormElement, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else if (frames > 1) focusFirstError(form, frames - 1);
  });
}
