import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { errorText } from '../../../api/api-error.js';
import type { Review } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { confirm, notify, toast } from '../../../components/feedback/feedback-store.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { useCurrentUser } from '../../../session/session.js';
import { useDeleteReview } from '../api/save-review.js';
import { useReviewMessages } from '../messages.js';
import { useReviewDraft } from '../review-draft.js';
import { ReviewForm } from './review-form.js';
import classes from './reviews.module.css';

/** The viewer's review: collapsed, then expanded; "Update" once there is one (PEOPLE-33). */
export function OwnReview({ coachId, mine }: { coachId: string; mine: Review | null }) {
  const messages = useReviewMessages();
  const texts = messages.reviews;
  const viewer = useCurrentUser();
  const [expanded, setExpanded] = useState(false);
  const begun = useReviewDraft(viewer?.id, coachId) !== undefined;
  const open = viewer !== undefined && (expanded || begun);
  const remove = useDeleteReview(coachId);

  const askAndDelete = async () => {
    if (!(await confirm({ message: texts.confirmDelete }))) return;
    remove.mutate(undefined, {
      onSuccess: () => toast({ type: 'success', message: texts.deleted }),
      onError: (error) => notify({ type: 'error', message: errorText(error, texts.deleteFailed, messages) }),
    });
  };
  const expand = () => {
    if (viewer) return setExpanded(true);
    notify({ type: 'info', title: messages.app.loginRequired, message: texts.loginToReview });
  };

  const row = useFocusKept<HTMLDivElement>(`${open} ${mine !== null}`);
  if (open) {
    const close = () => setExpanded(false);
    return <ReviewForm coachId={coachId} viewerId={viewer.id} mine={mine} onClose={close} />;
  }
  return (
    <div ref={row} className={classes.collapsed}>
      <Button variant="default" onClick={expand}>
        {mine ? texts.update : texts.write}
      </Button>
      {mine && (
        <BusyButton
          variant="subtle"
          color="gray"
          label={texts.delete}
          busyLabel={texts.deleting}
          busy={remove.isPending}
          onClick={() => void askAndDelete()}
        />
      )}
      {!viewer && (
        <p className={classes.hint}>
          <Link to="/login">{messages.nav.login}</Link> {texts.or}{' '}
          <Link to="/signup">{messages.nav.signUp}</Link> {texts.toReview}
        </p>
      )}
    </div>
  );
}
