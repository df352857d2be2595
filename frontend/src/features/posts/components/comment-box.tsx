import { Textarea } from '@mantine/core';
import type { FormEvent, KeyboardEvent } from 'react';
import { errorText } from '../../../api/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import type { Me } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { isBlank, lengthError } from '../../../validation/text.js';
import { useAddComment } from '../api/add-comment.js';
import { returnComment, setCommentDraft, useCommentDraft } from '../drafts.js';
import { usePostMessages } from '../messages.js';
import classes from './comments.module.css';

/** The draft is kept until it is sent; a comment that could not be sent returns to the box. */
export function CommentBox({ postId, viewer }: { postId: string; viewer: Me }) {
  const messages = usePostMessages();
  const texts = messages.comments;
  const content = useCommentDraft(viewer.id, postId);
  const setContent = (changed: string) => setCommentDraft(viewer.id, postId, changed);
  const add = useAddComment(postId, viewer, (error, failed) => {
    returnComment(viewer.id, postId, failed);
    toast({ type: 'error', message: errorText(error, texts.failed, messages) });
  });
  const tooLong = lengthError(texts.submit, content, LIMITS.commentLength, messages);
  const ready = !isBlank(content) && !tooLong && !add.isPending;

  const send = () => {
    if (!ready) return;
    setContent('');
    add.mutate(content.trim());
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  };

  return (
    <form className={classes.box} onSubmit={onSubmit}>
      <Textarea
        className={classes.input}
        aria-label={texts.label}
        placeholder={texts.placeholder}
        autosize
        minRows={1}
        maxRows={8}
        value={content}
        error={tooLong}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <BusyButton
        variant="default"
        label={texts.submit}
        busyLabel={texts.busy}
        busy={add.isPending}
        idle={!ready}
      />
    </form>
  );
}
