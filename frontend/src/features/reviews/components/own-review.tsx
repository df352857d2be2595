import { Button } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../../../server/http/api-error.js';
import type { Review } from '../../../api/types.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { LoginLink, useAskToLogIn, usePendingAction } from '../../../components/login-required.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { useDeleteReview } from '../api/delete-review.js';
import { useReviewDraft } from '../review-draft.js';
import { useReviewTexts } from '../texts.js';
import { ReviewForm } from './review-form.js';
import classes from './reviews.module.css';

/** The viewer's review: collapsed, then expanded; "Update" once there is one (PEOPLE-33). */
export function OwnReview({ coachId, mine }: { coachId: string; mine: Review | null }) {
  const texts = useReviewTexts();
  const { reviews } = texts;
  const viewer = useCurrentUser();
  const [expanded, setExpanded] = useState(false);
  const begun = useReviewDraft(viewer?.id, coachId) !== undefined;
  const open = viewer !== undefined && (expanded || begun);
  const remove = useDeleteReview(coachId, {
    message: reviews.deleted,
    onFailed: (error) => toast({ type: 'error', message: errorText(error, reviews.deleteFailed, texts) }),
  });
  const askToLogIn = useAskToLogIn();
  const reviewThis = `review:${coachId}`;
  usePendingAction(reviewThis, () => setExpanded(true));
  const expand = () => {
    if (viewer) return setExpanded(true);
    askToLogIn(reviews.loginToReview, reviewThis);
  };

  const row = useFocusKept<HTMLDivElement>(`${open} ${mine !== null}`);
  if (open) {
    const close = () => setExpanded(false);
    return (
      <ReviewForm coachId={coachId} viewerId={viewer.id} mine={mine} autoFocus={expanded} onClose={close} />
    );
  }
  return (
    <div ref={row} className={classes.collapsed}>
      <Button variant="default" onClick={expand}>
        {mine ? reviews.update : reviews.write}
      </Button>
      {mine && (
        <Button variant="subtle" color="gray" onClick={() => remove(mine.id)}>
          {reviews.delete}
        </Button>
      )}
      {!viewer && (
        <p className={classes.hint}>
          <LoginLink>{texts.nav.login}</LoginLink> {reviews.or}{' '}
          <LoginLink to="/signup">{texts.nav.signUp}</LoginLink> {reviews.toReview}
        </p>
      )}
    </div>
  );
}
