import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { KeyboardEvent } from 'react';
import type { Post, Visibility } from '../../../api/types.js';
import { PHONE } from '../../../components/back-closes.js';
import { BusyButton } from '../../../components/busy-button.js';
import { Dialog, DialogActions } from '../../../components/dialog.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { settle, undoable } from '../../../components/feedback/undoable.js';
import { isSendKey } from '../../../components/shortcuts/typed-key.js';
import { useMedia } from '../../../components/use-media.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { useCheckedForm } from '../../../validation/use-checked-form.js';
import { useUpdatePost } from '../api/update-post.js';
import { editOf, keepEdit, keptEdit } from '../drafts.js';
import { dropUploads, openPhotos, PhotoPanel } from '../photos/open-photos.js';
import { isEmptyDraft, lengthErrors } from '../post-fields.js';
import type { PostDraft, PostText } from '../post-fields.js';
import { useEditTexts } from '../edit-texts.js';
import { usePostTexts } from '../texts.js';
import { EditedVideo } from '../videos/edited-video.js';
import { fileIntake } from './file-intake.js';
import { changesOf, differs, draftOfPost, isSame } from './post-changes.js';
import { PostFields, PostFoot } from './post-form.js';
import classes from './publisher.module.css';
import { usePostForm } from './use-post-form.js';

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
  const { edit: words } = useEditTexts();
  const viewer = useCurrentUser();
  // The editor, also once the session has ended: then what was typed is still theirs.
  const [editorId] = useState(viewer?.id);
  const current = draftOfPost(post);
  const keep = (edit: PostDraft | undefined) => editorId !== undefined && keepEdit(editorId, post.id, edit);
  const subject = `edit:${post.id}`;

  const form = useCheckedForm<PostDraft>({
    name: 'edit-post',
    initialValues: { ...current, ...keptEdit(editorId, post.id) },
    check: (edit) => ({
      ...lengthErrors(edit, words.content, texts),
      ...(isEmptyDraft(edit) ? { content: words.empty } : {}),
    }),
    onChange: (edit) => {
      keep(differs(edit, current) ? edit : undefined);
      // What was discarded before would replace what is typed now.
      void settle(subject);
    },
  });

  const queryClient = useQueryClient();
  const [list] = useState(() =>
    openPhotos({
      ...{ userId: editorId ?? '', draftKey: editOf(post.id), queryClient },
      images: form.getValues().images,
      ofPost: post.images,
      onChange: (images) => form.setFieldValue('images', images),
    }),
  );
  useEffect(() => list.stay(), [list]);
  const photosReady = useSyncExternalStore(list.subscribe, list.isReady);
  const [photosOpen, setPhotosOpen] = useState(list.count() > 0);
  const photos = {
    ...{ isOpen: photosOpen, list, Panel: PhotoPanel, preload: () => undefined },
    toggle: () => (list.count() > 0 ? list.pick() : setPhotosOpen(!photosOpen)),
  };
  const hasVideo = form.values.video !== null;
  const addFiles = (files: readonly File[]) => {
    if (hasVideo) return toast({ type: 'info', message: words.either });
    setPhotosOpen(true);
    list.choose(files);
  };

  const { mounted, onFailed, failure, clearFailure } = usePostForm({
    ...{ list, inDialog: true, failed: words.failed },
  });
  const update = useUpdatePost(post.id, {
    onSaved: (sent) => {
      // What was changed since then, in the dialog opened again, is another edit.
      const kept = changesOf({ ...current, ...keptEdit(editorId, post.id) }, current);
      if (isSame(kept, sent)) keep(undefined);
      void settle(subject);
      if (mounted.current) onClose();
      toast({ type: 'success', message: words.updated });
    },
    onGone: () => {
      if (mounted.current) onClose();
      toast({ type: 'warning', message: texts.post.notFoundToast });
    },
    onFailed: (error) => onFailed(error, undefined, form.refuse),
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
    // Uploads of this edit; those of the post are the post's.
    const added = edit.images.flatMap(({ id }) => (post.images.some((image) => image.id === id) ? [] : id));
    const send = async () => {
      await dropUploads(added, { queryClient });
      return true;
    };
    const { discarded, undo: undoLabel } = texts.dialog;
    undoable({
      ...{ type: 'info', message: discarded, subject, undoLabel, undo },
      send: added.length > 0 ? send : undefined,
    });
  };

  const submit = form.submit((edit) => {
    if (!list.isReady()) return;
    clearFailure();
    update.mutate(changesOf(edit, current));
  });
  const element = useRef<HTMLFormElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSendKey(event)) element.current?.requestSubmit();
  };

  const fields = {
    ...{
      draft: form.values,
      photos: hasVideo ? undefined : photos,
      photosError: form.errors.images,
      isCoach: post.author.isCoach,
      failure,
    },
    input: (field: PostText) => form.getInputProps(field),
    onVisibility: (visibility: Visibility) => form.setFieldValue('visibility', visibility),
  };

  const formId = useId();
  const narrow = useMedia(PHONE);
  const save = (
    <BusyButton
      form={formId}
      label={words.save}
      busyLabel={words.saving}
      busy={update.isPending}
      idle={!photosReady}
    />
  );

  return (
    <Dialog
      title={words.title}
      fullScreenOnPhones
      wide
      onClose={discard}
      onKeyDown={onKeyDown}
      returnFocusTo={returnFocusTo}
      headAction={narrow && save}
    >
      <form id={formId} ref={element} onSubmit={submit} noValidate {...fileIntake(addFiles)}>
        <PostFields
          form={fields}
          inEdit
          content={{ label: words.content, minRows: 4, maxRows: 14, 'data-autofocus': true }}
        />
        {hasVideo && <EditedVideo post={post} onRemove={() => form.setFieldValue('video', null)} />}
        <div className={classes.foot}>
          <PostFoot form={fields} />
        </div>
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
