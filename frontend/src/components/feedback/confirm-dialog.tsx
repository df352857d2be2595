import { Button } from '@mantine/core';
import { useTexts } from '../../i18n/texts.js';
import { dangerVars } from '../danger-vars.js';
import { Dialog, DialogActions } from '../dialog.js';
import type { Question } from './feedback-store.js';

/**
 * Escape and the backdrop cancel. Enter confirms, as Confirm has the focus; where what is confirmed cannot be undone,
 * Cancel has it (UI-35).
 */
export function ConfirmDialog({ question }: { question: Question }) {
  const { dialog } = useTexts();
  const { answer, danger = false } = question;
  return (
    <Dialog
      role="alertdialog"
      title={question.title ?? dialog.confirmTitle}
      onClose={() => answer(false)}
      returnFocusTo={question.returnFocusTo}
    >
      <p>{question.message}</p>
      {question.detail && <p>{question.detail}</p>}
      <DialogActions>
        <Button variant="default" data-autofocus={danger || undefined} onClick={() => answer(false)}>
          {question.cancelLabel ?? dialog.cancel}
        </Button>
        <Button
          vars={danger ? dangerVars : undefined}
          data-autofocus={!danger || undefined}
          onClick={() => answer(true)}
        >
          {question.confirmLabel ?? dialog.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
