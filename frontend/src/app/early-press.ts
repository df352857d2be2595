declare global {
  interface Window {
    /** Of color-scheme.js, the first script of a document. */
    pulsoPressed?: { button: HTMLButtonElement | null; remember: (event: MouseEvent) => void };
  }
}

/**
 * Ends the time in which presses find no code. Presses the last button of that time again when it is called (UI-68), unless
 * it is gone.
 */
export function endEarlyPresses(): () => void {
  const pressed = window.pulsoPressed;
  if (!pressed) return () => undefined;
  window.removeEventListener('click', pressed.remember, true);
  const { button } = pressed;
  pressed.button = null;
  return () => {
    if (button?.isConnected) button.click();
  };
}
