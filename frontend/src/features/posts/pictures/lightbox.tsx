import { IconChevronLeft, IconChevronRight, IconX, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent } from 'react';
import type { Post } from '../../../api/types.js';
import { BackCloses } from '../../../components/back-closes.js';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import { useModal } from '../../../components/use-modal.js';
import type { FocusTarget } from '../../../components/use-modal.js';
import { ratioOf } from './layout.js';
import type { Picture } from './layout.js';
import { LightboxPicture } from './lightbox-picture.js';
import classes from './lightbox.module.css';
import { Strip } from './strip.js';
import { useLightboxTexts } from './texts.js';
import { useGestures } from './use-gestures.js';
import type { ReadAgain } from './use-picture.js';

interface LightboxProps {
  post: Post;
  /** The picture that it opens with. */
  start: number;
  readAgain: ReadAgain;
  returnFocusTo: FocusTarget;
  onClose: () => void;
}

/** The neighbours of a picture are asked for once it is there, so that a step shows them at once. */
function preload(images: readonly Picture[], index: number): void {
  for (const beside of [index + 1, index - 1]) {
    const { url } = images.at(beside % images.length)!;
    new Image().src = url;
  }
}

/** A post's pictures in their whole size, over the whole window (UI-20). */
export function Lightbox({ post, start, readAgain, returnFocusTo, onClose }: LightboxProps) {
  const { lightbox, dialog } = useLightboxTexts();
  const { images } = post;
  const [chosen, setChosen] = useState(images[start]?.id);
  const [ready, setReady] = useState<string>();
  const element = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useModal(element, onClose, returnFocusTo);

  // One that an edit has taken out meanwhile gives its place to the first.
  const index = Math.max(
    0,
    images.findIndex(({ id }) => id === chosen),
  );
  const picture: Picture | undefined = images[index];
  const step = (by: number) => setChosen(images.at((index + by) % images.length)?.id);
  const { large, transform, zoomIn, zoomOut, zoomWhole, handlers } = useGestures(
    stage,
    frame,
    picture?.id ?? '',
    {
      onStep: step,
      onClose,
    },
  );

  useEffect(() => {
    if (!picture) onClose();
  }, [picture, onClose]);
  // Not again for new addresses of the same pictures.
  const onReady = useEffectEvent(() => {
    if (ready === picture?.id && images.length > 1) preload(images, index);
  });
  useEffect(() => onReady(), [ready, index]);

  const keys: Record<string, () => void> = {
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    Home: () => setChosen(images[0]?.id),
    End: () => setChosen(images.at(-1)?.id),
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    '0': zoomWhole,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[typedKey(event)];
    if (!act) return;
    event.preventDefault();
    act();
  };

  if (!picture) return null;
  const many = images.length > 1;
  const position = lightbox.position(index + 1, images.length);
  return (
    <dialog
      ref={element}
      className={classes.lightbox}
      data-lightbox
      aria-label={lightbox.title(post.author.name)}
      onKeyDown={onKeyDown}
    >
      <BackCloses onBack={onClose} />
      <header className={classes.bar}>
        {many && (
          <span className={classes.counter} aria-hidden>
            {index + 1} / {images.length}
          </span>
        )}
        <span className="visually-hidden" aria-live="polite">
          {position}
        </span>
        <button
          type="button"
          className={classes.button}
          aria-label={lightbox.zoomOut}
          disabled={!large}
          onClick={zoomOut}
        >
          <IconZoomOut size={22} aria-hidden />
        </button>
        <button type="button" className={classes.button} aria-label={lightbox.zoomIn} onClick={zoomIn}>
          <IconZoomIn size={22} aria-hidden />
        </button>
        <button
          type="button"
          className={classes.button}
          aria-label={dialog.close}
          data-autofocus
          onClick={onClose}
        >
          <IconX size={24} aria-hidden />
        </button>
      </header>
      <div ref={stage} className={classes.stage} data-large={large || undefined} {...handlers}>
        <div
          ref={frame}
          className={classes.frame}
          style={
            {
              '--ratio': ratioOf(picture),
              '--own': `${picture.metadata.dimensions.width}px`,
              transform,
            } as CSSProperties
          }
        >
          <LightboxPicture
            key={picture.id}
            given={picture}
            position={position}
            readAgain={readAgain}
            onReady={() => setReady(picture.id)}
          />
        </div>
        {many && (
          <>
            <button
              type="button"
              className={classes.side}
              aria-label={lightbox.previous}
              onClick={() => step(-1)}
            >
              <IconChevronLeft size={28} aria-hidden />
            </button>
            <button type="button" className={classes.side} aria-label={lightbox.next} onClick={() => step(1)}>
              <IconChevronRight size={28} aria-hidden />
            </button>
          </>
        )}
      </div>
      {(picture.caption || many) && (
        <footer className={classes.foot}>
          {picture.caption && (
            <p dir="auto" className={classes.caption} tabIndex={0}>
              {picture.caption}
            </p>
          )}
          {many && <Strip images={images} index={index} readAgain={readAgain} onChoose={setChosen} />}
        </footer>
      )}
    </dialog>
  );
}
