import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { refusedFields } from '../../../server/http/api-error.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { leaveField } from '../../../components/shortcuts/leave-field.js';
import { isSendKey, typedKey } from '../../../components/shortcuts/typed-key.js';
import { written } from '../../../text/written.js';
import { useCreatePost } from '../api/create-post.js';
import { isEmptyDraft, lengthErrors, newPostOf } from '../post-fields.js';
import type { NewPost, PostDraft } from '../post-fields.js';
import { usePostTexts } from '../texts.js';
import type { PostForm } from './post-form.js';
import type { Photos } from './use-photos.js';
import type { PanelOfVideo } from './use-video.js';
import { usePostForm } from './use-post-form.js';

export interface PublisherProps {
  draft: PostDraft;
  onDraft: (draft: PostDraft) => void;
  photos: Photos;
  video: PanelOfVideo;
  isCoach: boolean;
  onPosted: () => void;
}

interface UsedPublisher extends PublisherProps {
  /** Notices at the edge are behind it. */
  inDialog: boolean;
}

/** A video without an id is on its way. */
async function wholeOf(post: NewPost): Promise<NewPost> {
  if (post.video?.type !== 'upload' || post.video.id) return post;
  return (await import('../videos/draft-video.js')).whenUploaded();
}

/** The act of notices. */
const CREATE = 'create-post';

/** The form of a new post, in the publisher's card and in its dialog on phones, and its button (UI-17, POST-14). */
export function usePublisher(props: UsedPublisher) {
  const { draft, onDraft, photos, video, isCoach, onPosted, inDialog } = props;
  const texts = usePostTexts();
  const { publisher } = texts;
  const { onFailed, failure, clearFailure } = usePostForm({
    ...{ list: photos.list, inDialog, failed: publisher.failed, act: CREATE },
  });
  const [refused, setRefused] = useState<{ sent: NewPost; reasons: Record<string, string> }>();
  const { post: publish, isPosting } = useCreatePost({
    wholeOf,
    onCreated: () => {
      onPosted();
      toast({ type: 'success', message: publisher.success, act: CREATE });
    },
    onFailed: (error, sent) => {
      const reasons = refusedFields(error);
      setRefused({ sent, reasons });
      onFailed(error, reasons.content ?? reasons.images ?? reasons.video);
    },
  });
  const tooLong = lengthErrors(draft, publisher.label, texts);
  const isEmpty = isEmptyDraft(draft);
  const blocked = isPosting || photos.isBlocked || video.isBlocked;
  const ready = !isEmpty && !Object.values(tooLong).some(Boolean) && !blocked;

  const send = () => {
    // By keyboard: the button is disabled (POST-15).
    if (isEmpty && !blocked) return toast({ type: 'info', message: publisher.empty });
    if (!ready) return;
    clearFailure();
    publish(newPostOf(draft, isCoach));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isSendKey(event)) send();
    if (typedKey(event) === 'Escape') leaveField(event);
  };

  const form: PostForm = {
    ...{ draft, photos, video, isCoach, failure },
    input: (field) => ({
      value: draft[field],
      // The server's reason goes when its text is changed.
      error:
        tooLong[field] ??
        (refused?.sent[field] === written(draft[field]) ? refused.reasons[field] : undefined),
      onChange: ({ currentTarget }) => onDraft({ ...draft, [field]: currentTarget.value }),
    }),
    onVisibility: (visibility) => onDraft({ ...draft, visibility }),
  };
  const content = {
    'aria-label': publisher.label,
    placeholder: publisher.placeholder,
    variant: 'unstyled',
    onKeyDown,
  } as const;
  const { percent } = video;
  const busyLabel = percent === undefined ? publisher.busy : publisher.uploading(percent);
  const button = { label: publisher.submit, busyLabel, busy: isPosting, idle: !ready };
  return { form, content, button, send };
}
