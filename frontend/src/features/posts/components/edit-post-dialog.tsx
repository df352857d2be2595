import { Button, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { errorText } from '../../../api/api-error.js';
import { LIMITS } from '../../../api/limits.js';
import type { Post } from '../../../api/types.js';
import { PHONE } from '../../../components/back-closes.js';
import { BusyButton } from '../../../components/busy-button.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { settle, undoable } from '../../../components/feedback/undoable.js';
import { useFailureNote } from '../../../components/feedback/use-failure-note.js';
import { FormAlert } from '../../../components/form-alert.js';
import { useMounted } from '../../../components/use-mounted.js';
import { useCurrentUser } from '../../../session/session.js';
import { isBlank, lengthError } from '../../../validation/text.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useUpdatePost } from '../api/update-post.js';
import { keepEdit, keptEdit } from '../drafts.js';
import type { PostEdit } from '../drafts.js';
import { usePostTexts } from '../texts.js';
import classes from './publisher.module.css';
import { VisibilityControl } from './visibility-control.js';

const differs = (one: PostEdit, other: PostEdit) =>
  one.content !== other.content || one.visibility !== other.visibility;

interface EditPostDialogProps {
  post: Post;
  onClose: () => void;
  /** Opens the dialog again, for Undo. */
  onReopen: () => void;
  returnFocusTo?: () => HTMLElement | null;
}

/**
 * Mounted when opened: starts from the current post and discards changes on close (UI-22), which can be undone. What was
 * typed when the session or the page ended is there again (UI-41).
 */
export function EditPostDialog({ post, onClose, onReopen, returnFocusTo }: EditPostDialogProps) {
  const texts = usePostTexts();
  const viewer = useCurrentUser();
  // The editor, also once the session has ended: then what was typed is still theirs.
  const [editorId] = useState(viewer?.id);
  const current: PostEdit = { content: post.content, visibility: post.visibility };
  const keep = (edit: PostEdit | undefined) => editorId !== undefined && keepEdit(editorId, post.id, edit);
  const subject = `edit:${post.id}`;
  const mounted = useMounted();
  const failure = useFailureNote();

  const form = useCheckedForm({
    name: 'edit-post',
    initialValues: keptEdit(editorId, post.id) ?? current,
    check: ({ content }) => ({
      content: isBlank(content)
        ? texts.post.emptyEdit
        : lengthError(texts.post.content, content, LIMITS.postLength, texts),
    }),
    onChange: (edit) => {
      keep(differs(edit, current) ? edit : undefined);
      // What was discarded before would replace what is typed now.
      void settle(subject);
    },
  });

  const update = useUpdatePost(post.id, {
    onSaved: ({ content }) => {
      // What was typed since then, in the dialog opened again, is another edit.
      if (keptEdit(editorId, post.id)?.content.trim() === content) keep(undefined);
      void settle(subject);
      if (mounted.current) onClose();
      toast({ type: 'success', message: texts.post.updated });
    },
    onGone: () => {
      if (mounted.current) onClose();
      toast({ type: 'warning', message: texts.post.notFoundToast });
    },
    onFailed: (error) => {
      const message = errorText(error, texts.post.updateFailed, texts);
      if (!mounted.current) toast({ type: 'error', message });
      else if (!form.refuse(error)) failure.tell(error, message);
    },
  });

  const discard = () => {
    // What is being saved cannot be discarded any more; the outcome is told.
    if (update.isPending) return onClose();
    const edit = form.getValues();
    keep(undefined);
    onClose();
    if (!differs(edit, current)) return;
    const undo = () => {
      keep(edit);
      onReopen();
    };
    const { discarded, undo: undoLabel } = texts.dialog;
    undoable({ type: 'info', message: discarded, subject, undoLabel, undo });
  };

  const submit = form.submit(({ content, visibility }) => {
    failure.clear();
    update.mutate({ content: content.trim(), ...(post.author.isCoach ? { visibility } : {}) });
  });
  const element = useRef<HTMLFormElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) element.current?.requestSubmit();
  };

  const formId = useId();
  const narrow = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const save = (
    <BusyButton form={formId} label={texts.post.save} busyLabel={texts.post.saving} busy={update.isPending} />
  );

  return (
    <Dialog
      title={texts.post.editTitle}
      fullScreenOnPhones
      wide
      onClose={discard}
      onKeyDown={onKeyDown}
      returnFocusTo={returnFocusTo}
      headAction={narrow && save}
    >
      <form id={formId} ref={element} onSubmit={submit} noValidate>
        {failure.note && (
          <div className={classes.note}>
            <FormAlert>{failure.note}</FormAlert>
          </div>
        )}
        <Textarea
          {...form.getInputProps('content')}
          label={texts.post.content}
          autosize
          minRows={4}
          maxRows={14}
          data-autofocus
        />
        <CharactersLeft text={form.values.content} limit={LIMITS.postLength} />
        {post.author.isCoach && (
          <div style={{ marginTop: 12 }}>
            <VisibilityControl
              value={form.values.visibility}
              onChange={(visibility) => form.setFieldValue('visibility', visibility)}
            />
          </div>
        )}
        <DialogActions>
          <Button variant="default" onClick={discard}>
            {texts.dialog.cancel}
          </Button>
          {!narrow && save}
        </DialogActions>
      </form>
    </Dialog>
  );
}
