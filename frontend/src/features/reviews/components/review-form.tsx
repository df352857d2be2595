import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorText } from '../../../api/api-error.js';
import type { Review } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { notify, toast } from '../../../components/feedback/feedback-store.js';
import { focusFirstError } from '../../../validation/focus-first-error.js';
import { useSaveReview } from '../api/save-review.js';
import { useReviewMessages } from '../messages.js';
import {
  draftFrom,
  forgetReviewDraft,
  keepReviewDraft,
  reviewErrors,
  useReviewDraft,
} from '../review-draft.js';
import type { ReviewDraft } from '../review-draft.js';
import classes from './reviews.module.css';
import { StarRating } from './star-rating.js';

interface ReviewFormProps {
  coachId: string;
  viewerId: string;
  mine: Review | null;
  onClose: () => void;
}

/** The expanded form: what the viewer had begun to write, else their own review as it is. Cancel forgets. */
export function ReviewForm({ coachId, viewerId, mine, onClose }: ReviewFormProps) {
  const messages = useReviewMessages();
  const texts = messages.reviews;
  const draft = useReviewDraft(viewerId, coachId) ?? draftFrom(mine);
  const keep = (changed: Partial<ReviewDraft>) =>
    keepReviewDraft(viewerId, coachId, { ...draft, ...changed });
  const [tried, setTried] = useState(false);
  const save = useSaveReview(coachId, {
    onSaved: () => {
      onClose();
      toast({ type: 'success', message: mine ? texts.updated : texts.added });
    },
    onFailed: (error) => notify({ type: 'error', message: errorText(error, texts.failed, messages) }),
  });
  const errors = reviewErrors(draft, messages);
  const shown = tried ? errors : {};

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(errors).length > 0) return focusFirstError(event.currentTarget);
    if (save.isPending) return;
    save.mutate(draft);
  };
  const cancel = () => {
    forgetReviewDraft(viewerId, coachId);
    onClose();
  };

  return (
    <form className={`card ${classes.form}`} onSubmit={submit} noValidate>
      <h2 className={classes.formTitle}>{mine ? texts.update : texts.write}</h2>
      <StarRating value={draft.rating} error={shown.rating} onChange={(rating) => keep({ rating })} />
      <Textarea
        label={texts.comment}
        placeholder={texts.placeholder}
        autosize
        autoFocus
        minRows={3}
        maxRows={12}
        readOnly={save.isPending}
        value={draft.comment}
        error={shown.comment}
        onChange={(event) => keep({ comment: event.currentTarget.value })}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={cancel}>
          {messages.dialog.cancel}
        </Button>
        <BusyButton
          label={mine ? texts.submitUpdate : texts.submit}
          busyLabel={mine ? texts.busyUpdate : texts.busy}
          busy={save.isPending}
        />
      </div>
    </form>
  );
}
