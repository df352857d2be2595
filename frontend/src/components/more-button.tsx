import { useRef } from 'react';
import { BusyButton } from './busy-button.js';

interface MoreButtonProps {
  label: string;
  busy: boolean;
  /** Loads the next page of the list right before the button. */
  onMore: () => Promise<unknown>;
}

/**
 * Loads more of the list before it. Then the first new entry has the focus, if it can be focused and the focus has not
 * been moved meanwhile.
 */
export function MoreButton({ label, busy, onMore }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const more = async () => {
    const list = button.current?.previousElementSibling;
    const last = list?.lastElementChild;
    await onMore();
    // Once the new entries are there.
    requestAnimationFrame(() => {
      const { activeElement } = document;
      if (activeElement !== document.body && activeElement !== button.current) return;
      const next = last ? last.nextElementSibling : list?.firstElementChild;
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    });
  };
  return (
    <BusyButton
      ref={button}
      variant="subtle"
      color="gray"
      label={label}
      busy={busy}
      onClick={() => void more()}
    />
  );
}
