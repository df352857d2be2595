/**
 * Shows the toasts above the dialogs that are open, which are in the browser's top layer: there what came last is above the
 * others.
 */
export function raiseToasts(): void {
  const region = document.querySelector<HTMLElement>('[data-toasts]');
  // Where there are no popovers the toasts stay below.
  if (!region?.showPopover) return;
  region.hidePopover();
  region.showPopover();
}
