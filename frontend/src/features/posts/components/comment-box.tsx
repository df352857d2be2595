import { ActionIcon, Textarea } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconSend2 } from '@tabler/icons-react';
import { useRef } from 'react';
import type { FormEvent, KeyboardEvent, Ref } from 'react';
import { errorText, isNotFound, refusalOf } from '../../../server/http/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import type { Me } from '../../../api/types.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { leaveField } from '../../../components/shortcuts/leave-field.js';
import { isSendKey, typedKey } from '../../../components/shortcuts/typed-key.js';
import { written } from '../../../text/written.js';
import { isBlank, lengthError } from '../../../validation/text.js';
import { useRefusal } from '../../../validation/use-refusal.js';
import { commentAct, useAddComment } from '../api/add-comment.js';
import { returnComment, setCommentDraft, useCommentDraft } from '../drafts.js';
import { usePostTexts } from '../texts.js';
import classes from './comments.module.css';

interface CommentBoxProps {
  postId: string;
  viewer: Me;
  field?: Ref<HTMLTextAreaElement>;
}

/** The draft is kept until it is sent; a comment that could not be sent returns to the box. */
export function CommentBox({ postId, viewer, field }: CommentBoxProps) {
  const texts = usePostTexts();
  const { comments } = texts;
  const content = useCommentDraft(viewer.id, postId);
  const setContent = (changed: string) => setCommentDraft(viewer.id, postId, changed);
  const refusal = useRefusal(content);
  const add = useAddComment(postId, viewer, (error, failed) => {
    if (isNotFound(error)) return toast({ type: 'warning', message: texts.post.notFoundToast });
    returnComment(viewer.id, postId, failed);
    const reason = refusalOf(error, 'content');
    refusal.refuse(failed, reason);
    toast({
      type: 'error',
      message: reason ?? errorText(error, comments.failed, texts),
      act: commentAct(postId),
    });
  });
  const tooLong = lengthError(comments.submit, content, LIMITS.commentLength, texts);
  const ready = !isBlank(content) && !tooLong && !add.isPending;

  const box = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    if (!ready) return;
    setContent('');
    add.mutate(written(content));
    // From the button: what is typed next belongs into the box, and is no shortcut.
    box.current?.focus();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isSendKey(event)) send();
    if (typedKey(event) === 'Escape') leaveField(event);
  };

  return (
    <form className={classes.box} onSubmit={onSubmit}>
      <div className={classes.input}>
        <Textarea
          ref={useMergedRef(box, field)}
          aria-label={comments.label}
          placeholder={comments.placeholder}
          autosize
          minRows={1}
          maxRows={8}
          value={content}
          error={tooLong ?? refusal.reason}
          onChange={(event) => setContent(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <CharactersLeft text={content} limit={LIMITS.commentLength} />
      </div>
      <ActionIcon
        type="submit"
        variant="default"
        size={44}
        aria-label={add.isPending ? comments.busy : comments.submit}
        title={comments.submit}
        aria-busy={add.isPending}
        aria-disabled={!ready}
        data-disabled={!ready || undefined}
      >
        <IconSend2 size={20} aria-hidden />
      </ActionIcon>
    </form>
  );
}
