import { Button, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { errorText } from '../../../api/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import { BusyButton } from '../../../components/busy-button.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { codePoints } from '../../../validation/text.js';
import { REASONS, useSendReport } from '../api/send-report.js';
import type { Reason } from '../api/send-report.js';
import { usePeopleMessages } from '../messages.js';
import type { Reported } from '../use-people-actions.js';
import classes from './people.module.css';

/** Tells the moderators about a person or what they have written. */
export function ReportDialog({ reported, onClose }: { reported: Reported; onClose: () => void }) {
  const messages = usePeopleMessages();
  const { report, dialog, validation } = messages;
  const [reason, setReason] = useState<Reason>('spam');
  const [note, setNote] = useState('');
  const send = useSendReport();
  const name = useId();
  const tooLong =
    codePoints(note) > LIMITS.reportNoteLength
      ? validation.tooLong(report.noteName, LIMITS.reportNoteLength)
      : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tooLong || send.isPending) return;
    const { subjectType, subjectId } = reported;
    send.mutate(
      { subjectType, subjectId, reason, note: note.trim() },
      {
        onSuccess: () => {
          onClose();
          toast({ type: 'success', message: report.done });
        },
      },
    );
  };

  return (
    <Dialog title={report.title} onClose={onClose} returnFocusTo={reported.returnFocusTo}>
      <form onSubmit={submit}>
        <fieldset className={classes.reasons}>
          <legend className={classes.legend}>{report.reason}</legend>
          {REASONS.map((one) => (
            <label key={one} className={classes.reason}>
              <input
                type="radio"
                name={name}
                value={one}
                checked={reason === one}
                data-autofocus={reason === one || undefined}
                onChange={() => setReason(one)}
              />
              {report.reasons[one]}
            </label>
          ))}
        </fieldset>
        <Textarea
          label={report.note}
          autosize
          minRows={2}
          maxRows={6}
          value={note}
          error={tooLong}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {send.error && (
          <div className={classes.alert}>
            <FormAlert>{errorText(send.error, report.failed, messages)}</FormAlert>
          </div>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {dialog.cancel}
          </Button>
          <BusyButton
            label={report.submit}
            busyLabel={report.busy}
            busy={send.isPending}
            idle={Boolean(tooLong)}
          />
        </DialogActions>
      </form>
    </Dialog>
  );
}
