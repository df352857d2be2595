import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, KeyboardEvent } from 'react';
import { errorText, isNotFound } from '../../../api/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import type { Post } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { notify, toast } from '../../../components/feedback/feedback-store.js';
import { codePoints, isBlank } from '../../../validation/text.js';
import { useUpdatePost } from '../api/update-post.js';
import { usePostMessages } from '../messages.js';
import { VisibilityControl } from './visibility-control.js';

interface EditPostDialogProps {
  post: Post;
  onClose: () => void;
  returnFocusTo?: () => HTMLElement | null;
}

/** Mounted when opened, so it starts from the post as it is and forgets on close (product.md section 2, "Feed"). */
export function EditPostDialog({ post, onClose, returnFocusTo }: EditPostDialogProps) {
  const messages = usePostMessages();
  const texts = messages.post;
  const [content, setContent] = useState(post.content);
  const [visibility, setVisibility] = useState(post.visibility);
  const update = useUpdatePost(post.id, () => {
    onClose();
    toast({ type: 'warning', message: texts.notFoundToast });
  });

  const problem = isBlank(content)
    ? texts.emptyEdit
    : codePoints(content) > LIMITS.postLength
      ? messages.validation.tooLong(texts.content, LIMITS.postLength)
      : undefined;

  const save = () => {
    if (problem || update.isPending) return;
    update.mutate(
      { content: content.trim(), ...(post.author.isCoach ? { visibility } : {}) },
      {
        onSuccess: () => {
          onClose();
          toast({ type: 'success', message: texts.updated });
        },
        onError: (error) => {
          if (isNotFound(error)) return;
          notify({ type: 'error', message: errorText(error, texts.updateFailed, messages) });
        },
      },
    );
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
  };

  return (
    <Dialog
      title={texts.editTitle}
      fullScreenOnPhones
      onClose={onClose}
      onKeyDown={onKeyDown}
      returnFocusTo={returnFocusTo}
    >
      <form onSubmit={onSubmit}>
        <Textarea
          label={texts.content}
          autosize
          minRows={4}
          maxRows={14}
          data-autofocus
          value={content}
          error={problem}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        {post.author.isCoach && (
          <div style={{ marginTop: 12 }}>
            <VisibilityControl value={visibility} onChange={setVisibility} />
          </div>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {messages.dialog.cancel}
          </Button>
          <BusyButton
            label={texts.save}
            busyLabel={texts.saving}
            busy={update.isPending}
            idle={Boolean(problem)}
          />
        </DialogActions>
      </form>
    </Dialog>
  );
}
