import type { KeyboardEvent } from 'react';
import { errorText, hasCode, refusalOf } from '../../../api/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { useFailureNote } from '../../../components/feedback/use-failure-note.js';
import { leaveField } from '../../../components/shortcuts/leave-field.js';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import { useMounted } from '../../../components/use-mounted.js';
import { written } from '../../../text/written.js';
import { lengthError } from '../../../validation/text.js';
import { useRefusal } from '../../../validation/use-refusal.js';
import { useCreatePost } from '../api/create-post.js';
import { imagesOf, isEmptyDraft } from '../drafts.js';
import type { PostDraft } from '../drafts.js';
import { usePostTexts } from '../texts.js';
import type { Photos } from './use-photos.js';

export interface PublisherProps {
  draft: PostDraft;
  onDraft: (draft: PostDraft) => void;
  photos: Photos;
  isCoach: boolean;
  onPosted: () => void;
}

interface UsedPublisher extends PublisherProps {
  /** Notices at the edge are behind it. */
  inDialog: boolean;
}

/** The act of notices. */
const CREATE = 'create-post';

/** What the publisher's card and its dialog on phones have in common: the field, the button, and sending (UI-17, POST-14). */
export function usePublisher({ draft, onDraft, photos, isCoach, onPosted, inDialog }: UsedPublisher) {
  const texts = usePostTexts();
  const { publisher } = texts;
  const mounted = useMounted();
  const failure = useFailureNote();
  const refusal = useRefusal(draft.content);
  const { post: publish, isPosting } = useCreatePost({
    onCreated: () => {
      onPosted();
      toast({ type: 'success', message: publisher.success, act: CREATE });
    },
    onFailed: (error, { content }) => {
      if (hasCode(error, 'media-not-attachable')) void photos.list?.findGone();
      const reason = refusalOf(error, 'content', texts);
      refusal.refuse(content, reason);
      const message =
        reason ?? refusalOf(error, 'images', texts) ?? errorText(error, publisher.failed, texts);
      if (inDialog && mounted.current) failure.tell(error, message);
      else toast({ type: 'error', message, act: CREATE });
    },
  });
  const tooLong = lengthError(publisher.label, draft.content, LIMITS.postLength, texts);
  const isEmpty = isEmptyDraft(draft);
  const ready = !isEmpty && !tooLong && !isPosting && !photos.isBlocked;

  const send = () => {
    // By keyboard: the button is disabled (POST-15).
    if (isEmpty && !isPosting && !photos.isBlocked) return toast({ type: 'info', message: publisher.empty });
    if (!ready) return;
    failure.clear();
    const visibility = isCoach ? draft.visibility : 'public';
    const images = imagesOf(draft.images);
    publish({ content: written(draft.content), visibility, ...(images.length > 0 ? { images } : {}) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const key = typedKey(event);
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
    if (key === 'Escape') leaveField(event);
  };

  const field = {
    'aria-label': publisher.label,
    placeholder: publisher.placeholder,
    variant: 'unstyled',
    autosize: true,
    value: draft.content,
    error: tooLong ?? refusal.reason,
    onChange: (event: { currentTarget: { value: string } }) =>
      onDraft({ ...draft, content: event.currentTarget.value }),
    onKeyDown,
  } as const;
  const button = { label: publisher.submit, busyLabel: publisher.busy, busy: isPosting, idle: !ready };
  return { field, button, send, failure: failure.note };
}
