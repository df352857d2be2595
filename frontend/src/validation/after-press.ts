let pressed = false;
globalThis.window?.addEventListener('pointerdown', () => (pressed = true), true);
for (const end of ['pointerup', 'pointercancel'])
  globalThis.window?.addEventListener(end, () => (pressed = false), true);

/** Runs `work` now, or after the press under way: what it moves on the page must not move from under the pointer. */
export function afterPress(work: () => void): void {
  if (pressed) window.addEventListener('pointerup', () => setTimeout(work), { once: true });
  else work();
}
