/** The modal dialogs that are open, the one opened last at the end. */
const dialogs: HTMLElement[] = [];

/**
 * Shows the toasts above the dialogs that are open, in the browser's top layer: there what came last is above the others.
 * They are put into the last dialog, because what is outside of it cannot be pressed.
 */
export function raiseToasts(): void {
  const region = document.querySelector<HTMLElement>('[data-toasts]');
  const holder = region?.parentElement;
  if (!region || !holder) return;
  const container = dialogs.at(-1) ?? document.body;
  if (holder.parentElement !== container) container.append(holder);
  // Where there are no popovers the toasts are part of the dialog.
  if (!region.showPopover) return;
  region.hidePopover();
  region.showPopover();
}

/** Keeps the toasts above a dialog that has just opened; to be ended before it is taken away. */
export function toastsAbove(dialog: HTMLElement): () => void {
  dialogs.push(dialog);
  raiseToasts();
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1);
    raiseToasts();
  };
}
