import { Button, Textarea } from '@mantine/core';
import { errorText } from '../../../api/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import { BusyButton } from '../../../components/busy-button.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { lengthError } from '../../../validation/text.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { REASONS, useSendReport } from '../api/send-report.js';
import type { Reason } from '../api/send-report.js';
import { usePeopleMessages } from '../messages.js';
import type { Reported } from '../use-people-actions.js';
import classes from './people.module.css';

/** Reports a user, post or comment to the moderators. */
export function ReportDialog({ reported, onClose }: { reported: Reported; onClose: () => void }) {
  const messages = usePeopleMessages();
  const { report, dialog } = messages;
  const send = useSendReport();
  const form = useCheckedForm({
    name: 'report',
    initialValues: { reason: 'spam' as Reason, note: '' },
    check: ({ note }) => ({ note: lengthError(report.noteName, note, LIMITS.reportNoteLength, messages) }),
  });

  const submit = form.submit(({ reason, note }) => {
    const { subjectType, subjectId } = reported;
    send.mutate(
      { subjectType, subjectId, reason, note: note.trim() },
      {
        onSuccess: () => {
          onClose();
          toast({ type: 'success', message: report.done });
        },
        onError: form.refuse,
      },
    );
  });

  return (
    <Dialog title={report.title} onClose={onClose} returnFocusTo={reported.returnFocusTo}>
      <form onSubmit={submit} noValidate>
        <fieldset className={classes.reasons}>
          <legend className={classes.legend}>{report.reason}</legend>
          {REASONS.map((one) => (
            <label key={one} className={classes.reason}>
              <input
                {...form.getInputProps('reason', { type: 'radio', value: one, withError: false })}
                type="radio"
                data-autofocus={form.values.reason === one || undefined}
              />
              {report.reasons[one]}
            </label>
          ))}
        </fieldset>
        <Textarea {...form.getInputProps('note')} label={report.note} autosize minRows={2} maxRows={6} />
        {send.error && (
          <div className={classes.alert}>
            <FormAlert>{errorText(send.error, report.failed, messages)}</FormAlert>
          </div>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {dialog.cancel}
          </Button>
          <BusyButton label={report.submit} busyLabel={report.busy} busy={send.isPending} />
        </DialogActions>
      </form>
    </Dialog>
  );
}
