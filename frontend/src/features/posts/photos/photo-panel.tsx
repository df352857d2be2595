import { IconPhotoPlus } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { PointerEvent } from 'react';
import { flushSync } from 'react-dom';
import { LIMITS } from '../../../api/limits.js';
import { ACCEPTED_IMAGES } from '../../../server/images/check-image.js';
import { dragPhoto } from './drag-photo.js';
import { PhotoDetails } from './photo-details.js';
import type { PhotoList } from './photo-list.js';
import { PhotoProblems } from './photo-problems.js';
import { PhotoTile } from './photo-tile.js';
import classes from './photos.module.css';
import { usePhotoTexts } from './texts.js';
import { useKeyboardOrder } from './use-keyboard-order.js';

interface PhotoPanelProps {
  list: PhotoList;
  inEdit?: boolean;
}

/** The photos of the text above (UI-18, UI-23): chosen, in their order, with their texts. */
export function PhotoPanel({ list, inEdit = false }: PhotoPanelProps) {
  const { photos: texts } = usePhotoTexts();
  const { photos, problems } = useSyncExternalStore(list.subscribe, list.getShown);
  const order = useKeyboardOrder(list, photos);
  const [describedKey, setDescribedKey] = useState<string>();
  const panel = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  useEffect(() => list.pickBy(() => input.current?.click()), [list]);

  const described = photos.findIndex(({ key }) => key === describedKey);
  const isEmpty = photos.length === 0;
  const isFull = photos.length >= LIMITS.postImages;
  const isBusy = photos.some(({ status }) => status === 'processing' || status === 'uploading');
  const find = (selector: string) => panel.current?.querySelector<HTMLElement>(selector);

  const onChosen = () => {
    const files = [...(input.current?.files ?? [])];
    // Else the same file could not be chosen again.
    if (input.current) input.current.value = '';
    flushSync(() => list.choose(files));
    // The button has gone with its focus.
    if (document.activeElement === document.body) find('li:last-of-type > button')?.focus();
  };
  const onRemove = (key: string, index: number) => {
    if (key === describedKey) setDescribedKey(undefined);
    flushSync(() => list.remove(key));
    const left = list.count();
    order.say(texts.removed(left));
    const beside = panel.current?.querySelectorAll<HTMLElement>('li > button:first-child');
    (beside?.[Math.min(index, left - 1)] ?? find('[data-add]'))?.focus();
  };
  const onDescribe = (key: string) => {
    flushSync(() => setDescribedKey(key === describedKey ? undefined : key));
    find('[data-photo-alt]')?.focus();
  };
  const onDone = () => {
    find(`[data-alt="${describedKey}"]`)?.focus();
    setDescribedKey(undefined);
  };
  const onPointerDown = (press: PointerEvent, from: number) => {
    const tiles = [...(panel.current?.querySelectorAll<HTMLElement>('[data-photo]') ?? [])];
    const { key } = photos[from]!;
    const onDrop = (to: number) => {
      list.move(key, to);
      order.say(texts.droppedAt(to + 1, photos.length));
    };
    dragPhoto(press, { tiles, from, onDrop });
  };

  return (
    <section ref={panel} className={classes.panel} aria-label={texts.title}>
      <div className={classes.row}>
        {/* Without bullets a list is none for some screen readers, unless it says so. */}
        <ul role="list" className={classes.tiles}>
          {photos.map((photo, index) => (
            <PhotoTile
              key={photo.key}
              photo={photo}
              position={index + 1}
              of={photos.length}
              held={order.held === photo.key}
              described={index === described}
              hintId={hintId}
              onKeyDown={(event) => order.onKeyDown(event, photo.key)}
              onBlur={() => order.onBlur(photo.key)}
              onPointerDown={(press) => onPointerDown(press, index)}
              onDescribe={() => onDescribe(photo.key)}
              onRemove={() => onRemove(photo.key, index)}
              onRetry={() => list.retry(photo.key)}
              onExpired={() => void list.renew(photo.key)}
            />
          ))}
        </ul>
        {!isFull && (
          <button
            type="button"
            className={classes.add}
            data-add
            data-wide={isEmpty || undefined}
            aria-label={isEmpty ? undefined : texts.add}
            aria-describedby={isEmpty ? `${hintId}-kinds` : undefined}
            onClick={list.pick}
          >
            <IconPhotoPlus size={24} aria-hidden />
            {isEmpty && (
              <span>
                <strong>{texts.choose}</strong> <span className={classes.drop}>{texts.drop}</span>
              </span>
            )}
          </button>
        )}
      </div>
      <input ref={input} type="file" multiple accept={ACCEPTED_IMAGES} hidden onChange={onChosen} />
      <p id={hintId} hidden>
        {texts.moveHint}
      </p>
      {isEmpty && (
        <p id={`${hintId}-kinds`} className={classes.hint}>
          {texts.hint}
        </p>
      )}
      {described >= 0 && (
        <PhotoDetails
          key={describedKey}
          photo={photos[described]!}
          position={described + 1}
          onChange={(changed) => list.describe(describedKey!, changed)}
          onDone={onDone}
        />
      )}
      <p role="status" className={isBusy ? classes.hint : 'visually-hidden'}>
        {isBusy && texts.processing}
      </p>
      <p role="status" className="visually-hidden">
        {order.said}
      </p>
      <PhotoProblems photos={photos} problems={problems} inEdit={inEdit} />
    </section>
  );
}
