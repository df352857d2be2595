import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

/** Of a key that an input method handles. */
const INPUT_METHOD = 229;

/**
 * The key of an event; empty where it belongs to an input method (Japanese, Chinese, Korean and others): while that composes,
 * Enter, Escape, blanks and arrows are its own (UI-45). Every handler of keys reads the key by this.
 */
export function typedKey(event: KeyboardEvent | ReactKeyboardEvent): string {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event;
  // Safari says that the composition is over before it tells the Enter that ended it.
  return isComposing || keyCode === INPUT_METHOD ? '' : event.key;
}

/** Ctrl or ⌘ and Enter, which send what is written from the midst of its text. */
export const isSendKey = (event: ReactKeyboardEvent): boolean =>
  typedKey(event) === 'Enter' && (event.ctrlKey || event.metaKey);
