import { Button } from '@mantine/core';
import { useMessages } from '../../i18n/messages.js';
import { Dialog, DialogActions } from '../dialog.js';
import type { Question } from './feedback-store.js';

/** Enter confirms (Confirm has the focus), Escape and the backdrop cancel. */
export function ConfirmDialog({ question }: { question: Question }) {
  const { dialog } = useMessages();
  const { answer } = question;
  return (
    <Dialog
      role="alertdialog"
      title={question.title ?? dialog.confirmTitle}
      onClose={() => answer(false)}
      returnFocusTo={question.returnFocusTo}
    >
      <p>{question.message}</p>
      <DialogActions>
        <Button variant="default" onClick={() => answer(false)}>
          {question.cancelLabel ?? dialog.cancel}
        </Button>
        <Button data-autofocus onClick={() => answer(true)}>
          {question.confirmLabel ?? dialog.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
