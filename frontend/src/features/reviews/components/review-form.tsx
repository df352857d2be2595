import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { errorText } from '../../../server/http/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import type { Review } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { tellFailure } from '../../../components/feedback/tell-failure.js';
import { useMounted } from '../../../components/use-mounted.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useSaveReview } from '../api/save-review.js';
import {
  draftFrom,
  forgetReviewDraft,
  keepReviewDraft,
  reviewErrors,
  useReviewDraft,
} from '../review-draft.js';
import { useReviewTexts } from '../texts.js';
import classes from './reviews.module.css';
import { StarRating } from './star-rating.js';

interface ReviewFormProps {
  coachId: string;
  viewerId: string;
  mine: Review | null;
  /** It was opened by a press, so it takes the focus: at its beginning, the stars. */
  autoFocus: boolean;
  onClose: () => void;
}

/** The expanded form: starts from the viewer's draft, otherwise from their review. Cancel discards the draft. */
export function ReviewForm({ coachId, viewerId, mine, autoFocus, onClose }: ReviewFormProps) {
  const texts = useReviewTexts();
  const { reviews } = texts;
  const mounted = useMounted();
  const element = useRef<HTMLFormElement>(null);
  const save = useSaveReview(coachId, {
    onSaved: () => {
      onClose();
      toast({ type: 'success', message: mine ? reviews.updated : reviews.added });
    },
    onFailed: (error) => {
      if (mounted.current && form.refuse(error)) return;
      tellFailure(errorText(error, reviews.failed, texts), element.current);
    },
  });
  const form = useCheckedForm({
    name: 'review',
    initialValues: useReviewDraft(viewerId, coachId) ?? draftFrom(mine),
    check: (draft) => reviewErrors(draft, texts),
    onChange: (draft) => keepReviewDraft(viewerId, coachId, draft),
  });
  const cancel = () => {
    forgetReviewDraft(viewerId, coachId);
    onClose();
  };

  useEffect(() => {
    if (autoFocus) element.current?.querySelector<HTMLElement>('input:checked')?.focus();
  }, [autoFocus]);

  return (
    <form
      ref={element}
      className={`card ${classes.form}`}
      onSubmit={form.submit((draft) => save.mutate(draft))}
      noValidate
    >
      <h2 className={classes.formTitle}>{mine ? reviews.update : reviews.write}</h2>
      <StarRating {...form.getInputProps('rating')} value={form.values.rating} />
      <div>
        <Textarea
          {...form.getInputProps('comment')}
          label={reviews.comment}
          placeholder={reviews.placeholder}
          autosize
          minRows={3}
          maxRows={12}
          readOnly={save.isPending}
        />
        <CharactersLeft text={form.values.comment} limit={LIMITS.reviewLength} />
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={cancel}>
          {texts.dialog.cancel}
        </Button>
        <BusyButton
          label={mine ? reviews.submitUpdate : reviews.submit}
          busyLabel={mine ? reviews.busyUpdate : reviews.busy}
          busy={save.isPending}
        />
      </div>
    </form>
  );
}
