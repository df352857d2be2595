import { Button, Textarea } from '@mantine/core';
import { useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { errorText, isNotFound } from '../../../api/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import type { Post } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { notify, toast } from '../../../components/feedback/feedback-store.js';
import { isBlank, lengthError } from '../../../validation/text.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useUpdatePost } from '../api/update-post.js';
import { usePostMessages } from '../messages.js';
import { VisibilityControl } from './visibility-control.js';

interface EditPostDialogProps {
  post: Post;
  onClose: () => void;
  returnFocusTo?: () => HTMLElement | null;
}

/** Mounted when opened: starts from the current post and discards changes on close (UI-22). */
export function EditPostDialog({ post, onClose, returnFocusTo }: EditPostDialogProps) {
  const messages = usePostMessages();
  const texts = messages.post;
  const update = useUpdatePost(post.id, () => {
    onClose();
    toast({ type: 'warning', message: texts.notFoundToast });
  });

  const form = useCheckedForm({
    name: 'edit-post',
    initialValues: { content: post.content, visibility: post.visibility },
    check: ({ content }) => ({
      content: isBlank(content)
        ? texts.emptyEdit
        : lengthError(texts.content, content, LIMITS.postLength, messages),
    }),
  });

  const submit = form.submit(({ content, visibility }) =>
    update.mutate(
      { content: content.trim(), ...(post.author.isCoach ? { visibility } : {}) },
      {
        onSuccess: () => {
          onClose();
          toast({ type: 'success', message: texts.updated });
        },
        onError: (error) => {
          if (isNotFound(error) || form.refuse(error)) return;
          notify({ type: 'error', message: errorText(error, texts.updateFailed, messages) });
        },
      },
    ),
  );
  const element = useRef<HTMLFormElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) element.current?.requestSubmit();
  };

  return (
    <Dialog
      title={texts.editTitle}
      fullScreenOnPhones
      onClose={onClose}
      onKeyDown={onKeyDown}
      returnFocusTo={returnFocusTo}
    >
      <form ref={element} onSubmit={submit} noValidate>
        <Textarea
          {...form.getInputProps('content')}
          label={texts.content}
          autosize
          minRows={4}
          maxRows={14}
          data-autofocus
        />
        {post.author.isCoach && (
          <div style={{ marginTop: 12 }}>
            <VisibilityControl
              value={form.values.visibility}
              onChange={(visibility) => form.setFieldValue('visibility', visibility)}
            />
          </div>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {messages.dialog.cancel}
          </Button>
          <BusyButton label={texts.save} busyLabel={texts.saving} busy={update.isPending} />
        </DialogActions>
      </form>
    </Dialog>
  );
}
