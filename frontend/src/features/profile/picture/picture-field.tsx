import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { isNotFound } from '../../../server/http/api-error.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Image, Me } from '../../../api/types.js';
import { ACCEPTED_IMAGES, checkImage, IMAGE_BYTES } from '../../../server/images/check-image.js';
import { refusalText } from '../../../server/images/image-failure.js';
import { getImage } from '../../../server/images/upload-image.js';
import { Avatar } from '../../../components/avatar.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { lazyComponent } from '../../../components/lazy-component.js';
import { LazyDialog } from '../../../components/lazy-dialog.js';
import type { ProfileForm } from '../profile-draft.js';
import { useProfileTexts } from '../texts.js';
import { freePicture } from './free-picture.js';
import classes from './picture.module.css';

const CropDialog = lazyComponent(async () => (await import('./crop-dialog.js')).CropDialog);

type Picture = ProfileForm['profileImageId'];

interface PictureFieldProps {
  me: Me;
  value: Picture;
  onChange: (value: Picture) => void;
  error?: ReactNode;
  /** Where the form finds the field, to focus it. */
  'data-path'?: string;
}

/** Initials have an address of the API's. */
const hasPicture = ({ profileImage }: Me) => profileImage.startsWith('/media/');

/**
 * The picture as it will be, with Change and Remove (MEDIA-6, UI-67). A chosen one is cut and uploaded at once; nobody else sees it
 * until the form is saved. Stands outside of the form, which the keys of its dialog do not send.
 */
export function PictureField({ me, value, onChange, error, 'data-path': path }: PictureFieldProps) {
  const texts = useProfileTexts();
  const { picture } = texts.profile;
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  // What is not saved yet is shown at an address of the owner's alone, which expires.
  const [uploaded, setUploaded] = useState<Image>();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const hintId = useId();
  const storageChanged = () => queryClient.invalidateQueries({ queryKey: queryKeys.storage });

  // A draft may be older than the day for which the server keeps its picture.
  const [drafted] = useState(value);
  const onGone = useEffectEvent(() => {
    if (value !== drafted) return;
    onChange(undefined);
    setProblem(picture.gone);
  });
  useEffect(() => {
    if (!drafted) return;
    const leave = new AbortController();
    // Of any other failure saving tells.
    getImage(drafted, leave.signal).then(
      (image) => setUploaded((newer) => newer ?? image),
      (failure: unknown) => isNotFound(failure) && onGone(),
    );
    return () => leave.abort();
  }, [drafted]);

  const change = async (next: Picture) => {
    setProblem(undefined);
    onChange(next);
    if (value && !(await freePicture(value))) toast({ type: 'info', message: picture.notFreed });
    void storageChanged();
  };
  const onChosen = () => {
    const chosen = input.current?.files?.[0];
    // Else the same file could not be chosen again.
    if (!chosen || !input.current) return;
    const refusal = checkImage(chosen);
    setProblem(refusal && refusalText(refusal, texts));
    setFile(refusal ? undefined : chosen);
    input.current.value = '';
  };
  const onUploaded = (image: Image) => {
    setFile(undefined);
    setUploaded(image);
    void change(image.id);
  };
  const onRemove = () => {
    void change(hasPicture(me) ? null : undefined);
    button.current?.focus();
  };

  const present = hasPicture(me) ? me.profileImage : null;
  const unsaved = uploaded !== undefined && uploaded.id === value ? uploaded.url : null;
  const shown = value === undefined ? present : unsaved;
  const isThere = value === undefined ? present !== null : value !== null;
  const told = error ?? problem;
  return (
    <div role="group" aria-label={picture.title} className={classes.field}>
      <Avatar user={{ name: me.name, profileImage: shown }} size={96} />
      <div className={classes.side}>
        <div className={classes.buttons}>
          <Button
            ref={button}
            data-path={path}
            variant="default"
            aria-describedby={hintId}
            onClick={() => input.current?.click()}
          >
            {picture.change}
          </Button>
          {isThere && (
            <Button variant="default" onClick={onRemove}>
              {picture.remove}
            </Button>
          )}
        </div>
        <p id={hintId} className={classes.hint}>
          {picture.hint(IMAGE_BYTES / 1024 ** 2)}
        </p>
        <p role="status" className={classes.unsaved}>
          {value !== undefined && picture.unsaved}
        </p>
        {told && (
          <p role="alert" className={`field-error ${classes.problem}`}>
            {told}
          </p>
        )}
      </div>
      <input ref={input} type="file" accept={ACCEPTED_IMAGES} hidden onChange={onChosen} />
      {file && (
        <LazyDialog onClose={() => setFile(undefined)}>
          <CropDialog
            file={file}
            onUploaded={onUploaded}
            onBroken={() => {
              setFile(undefined);
              setProblem(texts.images.load);
            }}
            onClose={() => setFile(undefined)}
          />
        </LazyDialog>
      )}
    </div>
  );
}
