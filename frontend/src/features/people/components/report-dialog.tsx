import { Button, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { errorText } from '../../../server/http/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { useMounted } from '../../../components/use-mounted.js';
import { written } from '../../../text/written.js';
import { lengthError } from '../../../validation/text.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { REASONS, useSendReport } from '../api/send-report.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { keepReport, keptReport } from '../report-draft.js';
import type { ReportDraft } from '../report-draft.js';
import { useReportTexts } from '../report-texts.js';
import type { Reported } from '../use-people-actions.js';
import classes from './people.module.css';

/**
 * Reports a user, or what they have written, to the moderators (PEOPLE-39). What was begun is there again unless it was sent
 * or cancelled (UI-41).
 */
export function ReportDialog({ reported, onClose }: { reported: Reported; onClose: () => void }) {
  const texts = useReportTexts();
  const { reporting, dialog } = texts;
  const mounted = useMounted();
  const reasonError = useId();
  const viewer = useCurrentUser();
  // The reporter, also once the session has ended.
  const [reporterId] = useState(viewer?.id);
  const [begun] = useState<ReportDraft>(() => keptReport(reporterId, reported) ?? { reason: '', note: '' });
  const keep = (draft: ReportDraft | undefined) => {
    if (reporterId !== undefined) keepReport(reporterId, reported, draft);
  };
  const cancel = () => {
    keep(undefined);
    onClose();
  };
  const form = useCheckedForm({
    name: 'report',
    initialValues: begun,
    check: ({ reason, note }) => ({
      reason: reason === '' ? reporting.reasonRequired : undefined,
      note: lengthError(reporting.noteName, note, LIMITS.reportNoteLength, texts),
    }),
    onChange: keep,
  });

  const send = useSendReport({
    onSent: () => {
      keep(undefined);
      if (mounted.current) onClose();
      toast({ type: 'success', message: reporting.done });
    },
    onFailed: (error) => {
      if (mounted.current) form.refuse(error);
      else toast({ type: 'error', message: errorText(error, reporting.failed, texts) });
    },
  });

  const submit = form.submit(({ reason, note }) => {
    if (reason === '') return;
    const { subjectType, subjectId } = reported;
    send.mutate({ subjectType, subjectId, reason, note: written(note) });
  });

  return (
    <Dialog title={reporting.title} onClose={onClose} returnFocusTo={reported.returnFocusTo}>
      <form onSubmit={submit} noValidate>
        <fieldset className={classes.reasons} aria-describedby={form.errors.reason ? reasonError : undefined}>
          <legend className={classes.legend}>{reporting.reason}</legend>
          {REASONS.map((one) => (
            <label key={one} className={classes.reason}>
              <input
                {...form.getInputProps('reason', { type: 'radio', value: one, withError: false })}
                type="radio"
                data-autofocus={one === (begun.reason || REASONS[0]) || undefined}
              />
              {reporting.reasons[one]}
            </label>
          ))}
          {form.errors.reason && (
            <p id={reasonError} className={`field-error ${classes.error}`}>
              {form.errors.reason}
            </p>
          )}
        </fieldset>
        <Textarea {...form.getInputProps('note')} label={reporting.note} autosize minRows={2} maxRows={6} />
        <CharactersLeft text={form.values.note} limit={LIMITS.reportNoteLength} />
        {send.error && (
          <div className={classes.alert}>
            <FormAlert>{errorText(send.error, reporting.failed, texts)}</FormAlert>
          </div>
        )}
        <DialogActions>
          <Button variant="default" onClick={cancel}>
            {dialog.cancel}
          </Button>
          <BusyButton label={reporting.submit} busyLabel={reporting.busy} busy={send.isPending} />
        </DialogActions>
      </form>
    </Dialog>
  );
}
