import { CloseButton } from '@mantine/core';
import { useId, useRef } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { useTexts } from '../i18n/texts.js';
import { BackCloses } from './back-closes.js';
import classes from './dialog.module.css';
import { useModal } from './use-modal.js';
import type { FocusTarget } from './use-modal.js';
import { useVisibleHeight } from './use-visible-height.js';

interface DialogProps {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** `alertdialog` for messages that must be read or answered. */
  role?: 'dialog' | 'alertdialog';
  /** Takes the whole screen under 768 px. */
  fullScreenOnPhones?: boolean;
  /** A button in the head, where a phone's keyboard cannot cover it. */
  headAction?: ReactNode;
  returnFocusTo?: FocusTarget;
  onKeyDown?: (event: KeyboardEvent) => void;
  /** For writing: wider than a question. */
  wide?: boolean;
  /** What stays at the bottom, above a phone's keyboard. */
  foot?: ReactNode;
}

/** Presses on the backdrop and on the scrollbar both have the dialog as target; only the position tells them apart. */
function isOutside(dialog: HTMLElement, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/**
 * A modal dialog on the browser's <dialog>: it takes the focus and returns it, the page behind is inert, Escape, a
 * press on the backdrop and a phone's Back close it (UI-36). Mount it to open it. An element with
 * `data-autofocus` gets the focus.
 */
export function Dialog({
  title,
  onClose,
  children,
  role = 'dialog',
  fullScreenOnPhones,
  headAction,
  returnFocusTo,
  onKeyDown,
  wide = false,
  foot,
}: DialogProps) {
  const texts = useTexts();
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useVisibleHeight(element, fullScreenOnPhones === true);
  useModal(element, onClose, returnFocusTo);

  // On press, not on click: a text selection may begin inside and end on the backdrop.
  const onBackdrop = (event: MouseEvent) => {
    const dialog = element.current;
    // The second press of a double click on the button that opened the dialog is not meant for the backdrop.
    if (event.detail > 1) return;
    if (dialog && event.target === dialog && isOutside(dialog, event)) onClose();
  };

  return (
    <dialog
      ref={element}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={titleId}
      className={`${classes.dialog} ${fullScreenOnPhones ? classes.fullScreen : ''} ${wide ? classes.wide : ''}`}
      onMouseDown={onBackdrop}
      onKeyDown={onKeyDown}
    >
      <BackCloses onBack={onClose} />
      <div className={classes.body}>
        <header className={classes.header}>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          {headAction}
          <CloseButton
            iconSize={20}
            size="lg"
            aria-label={texts.dialog.close}
            onClick={onClose}
            className={classes.close}
          />
        </header>
        {children}
      </div>
      {foot && <div className={classes.foot}>{foot}</div>}
    </dialog>
  );
}

/** The row of buttons at the bottom of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
