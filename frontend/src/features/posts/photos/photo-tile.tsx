import { IconAlertCircle, IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import type { Photo } from './photo-list.js';
import classes from './photos.module.css';
import { usePhotoTexts } from './texts.js';

interface PhotoTileProps {
  photo: Photo;
  /** From 1. */
  position: number;
  of: number;
  /** Picked up by the keyboard. */
  held: boolean;
  /** Its texts are open below. */
  described: boolean;
  hintId: string;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerDown: (event: PointerEvent) => void;
  onBlur: () => void;
  onDescribe: () => void;
  onRemove: () => void;
  onRetry: () => void;
  /** Its address has expired. */
  onExpired: () => void;
}

/** One photo of the row: its picture, by which it is moved, and the buttons over it. */
export function PhotoTile({ photo, position, of, held, described, hintId, ...on }: PhotoTileProps) {
  const { photos } = usePhotoTexts();
  const renewed = useRef(false);
  const { status, preview, alt, caption } = photo;
  const isBusy = status === 'processing' || status === 'uploading';
  const hasFailed = status === 'failed' || status === 'gone';
  const hasTexts = alt.trim() !== '' || caption.trim() !== '';
  const onError = () => {
    if (renewed.current) return;
    renewed.current = true;
    on.onExpired();
  };
  return (
    <li
      className={classes.tile}
      data-photo={photo.key}
      data-status={status}
      data-held={held || undefined}
      onPointerDown={on.onPointerDown}
    >
      <button
        type="button"
        className={classes.picture}
        aria-label={photos.named(photos.position(position, of), alt)}
        aria-describedby={hintId}
        onKeyDown={on.onKeyDown}
        onKeyUp={(event) => typedKey(event) === ' ' && event.preventDefault()}
        onBlur={on.onBlur}
        onClick={on.onDescribe}
      >
        {preview && <img src={preview} alt="" draggable={false} onError={onError} />}
      </button>
      {isBusy && <span className={classes.spinner} aria-hidden />}
      {hasFailed && <IconAlertCircle className={classes.failed} size={24} aria-hidden />}
      {status === 'failed' && (
        <button
          type="button"
          className={classes.retry}
          aria-label={photos.retryOf(position)}
          onClick={on.onRetry}
        >
          <span>
            <IconRefresh size={14} aria-hidden /> {photos.retry}
          </span>
        </button>
      )}
      {!hasFailed && (
        <button
          type="button"
          className={classes.alt}
          aria-label={photos.textsOf(position)}
          aria-expanded={described}
          data-alt={photo.key}
          onClick={on.onDescribe}
        >
          <span>
            {hasTexts && <IconCheck size={12} stroke={3} aria-hidden />}
            {photos.alt}
          </span>
        </button>
      )}
      <button
        type="button"
        className={classes.remove}
        aria-label={photos.remove(position)}
        onClick={on.onRemove}
      >
        <span>
          <IconX size={14} stroke={2.5} aria-hidden />
        </span>
      </button>
    </li>
  );
}
