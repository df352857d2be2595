import { useRef } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { typedKey } from '../../../components/shortcuts/typed-key.js';

/** What has a press of its own; of a conversation (its section) nothing opens the post. */
const OWN_PRESS = 'a, button, video, input, textarea, select, label, form, section, dialog, [role=menu]';

function isFree({ target, currentTarget }: MouseEvent): boolean {
  // React's events also come from what is rendered in the card but stands elsewhere in the document.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const own = target.closest(OWN_PRESS);
  return !own || !currentTarget.contains(own);
}

/**
 * Makes a card lead to `path` as a link does, by a press on its free area or text, or by Enter while it has the focus (UI-57).
 * Screen readers get the links in the card; this is for those who aim at it.
 */
export function useCardLink(path: string, enabled: boolean) {
  const navigate = useNavigate();
  const closesMenu = useRef(false);
  if (!enabled) return {};

  const openBeside = () => void window.open(path, '_blank', 'noopener');
  return {
    'data-opens': true,
    onPointerDown: () => {
      closesMenu.current = document.querySelector('[role=menu]') !== null;
    },
    // Else the middle button would begin to scroll.
    onMouseDown: (event: MouseEvent) => {
      if (event.button === 1 && isFree(event)) event.preventDefault();
    },
    onAuxClick: (event: MouseEvent) => {
      if (event.button === 1 && isFree(event)) openBeside();
    },
    onClick: (event: MouseEvent) => {
      if (!isFree(event) || event.shiftKey || event.altKey || closesMenu.current) return;
      if (getSelection()?.isCollapsed === false) return;
      if (event.ctrlKey || event.metaKey) openBeside();
      else void navigate(path);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (typedKey(event) !== 'Enter' || event.target !== event.currentTarget) return;
      if (event.ctrlKey || event.metaKey) openBeside();
      else void navigate(path);
    },
  };
}
