import type { KeyboardEvent } from 'react';

/**
 * For Escape in a field that is not in a dialog: leaves it, for the post around it if there is one, so that j and k go on
 * from there. What was typed stays.
 */
export function leaveField(event: KeyboardEvent<HTMLElement>): void {
  const field = event.currentTarget;
  if (field.closest('dialog')) return;
  const post = field.closest<HTMLElement>('[data-post]');
  if (post) post.focus({ preventScroll: true });
  else field.blur();
}
