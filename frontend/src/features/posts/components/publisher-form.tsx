import { Textarea } from '@mantine/core';
import type { FormEvent, KeyboardEvent } from 'react';
import { errorText } from '../../../api/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import { BusyButton } from '../../../components/busy-button.js';
import { notify, toast } from '../../../components/feedback/feedback-store.js';
import { isBlank, lengthError } from '../../../validation/text.js';
import { useCreatePost } from '../api/create-post.js';
import type { NewPost } from '../api/create-post.js';
import { usePostMessages } from '../messages.js';
import classes from './publisher.module.css';
import { VisibilityControl } from './visibility-control.js';

interface PublisherFormProps {
  draft: NewPost;
  onDraft: (draft: NewPost) => void;
  isCoach: boolean;
  onPosted: () => void;
  minRows: number;
}

export function PublisherForm({ draft, onDraft, isCoach, onPosted, minRows }: PublisherFormProps) {
  const messages = usePostMessages();
  const { publisher } = messages;
  const { post: publish, isPosting } = useCreatePost({
    onCreated: () => {
      onPosted();
      toast({ type: 'success', message: publisher.success });
    },
    onFailed: (error) => notify({ type: 'error', message: errorText(error, publisher.failed, messages) }),
  });
  const tooLong = lengthError(publisher.label, draft.content, LIMITS.postLength, messages);
  const ready = !isBlank(draft.content) && !tooLong && !isPosting;

  const post = () => {
    if (!ready) return;
    const visibility = isCoach ? draft.visibility : 'public';
    publish({ content: draft.content.trim(), visibility });
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    post();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) post();
  };

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <Textarea
        aria-label={publisher.label}
        placeholder={publisher.placeholder}
        variant="unstyled"
        autosize
        minRows={minRows}
        maxRows={16}
        data-autofocus
        data-publisher
        value={draft.content}
        error={tooLong}
        readOnly={isPosting}
        onChange={(event) => onDraft({ ...draft, content: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div className={classes.foot}>
        {isCoach && (
          <VisibilityControl
            value={draft.visibility}
            onChange={(visibility) => onDraft({ ...draft, visibility })}
          />
        )}
        <BusyButton
          className={classes.submit}
          label={publisher.submit}
          busyLabel={publisher.busy}
          busy={isPosting}
          idle={!ready}
        />
      </div>
    </form>
  );
}
