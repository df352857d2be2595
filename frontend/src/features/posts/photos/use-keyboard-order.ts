import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import type { Photo, PhotoList } from './photo-list.js';
import { usePhotoTexts } from './texts.js';

/** By how many positions a key moves a photo. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Moves photos by keyboard: Space picks one up, arrow keys, Home and End move it, Space or Enter drops it, Escape puts it back.
 * `said` is for screen readers.
 */
export function useKeyboardOrder(list: PhotoList, photos: readonly Photo[]) {
  const texts = usePhotoTexts().photos;
  const [held, setHeld] = useState<{ key: string; from: number }>();
  const [said, setSaid] = useState('');

  const drop = (position: number) => {
    setHeld(undefined);
    setSaid(texts.droppedAt(position + 1, photos.length));
  };

  const onKeyDown = (event: KeyboardEvent, key: string) => {
    const typed = typedKey(event);
    const position = photos.findIndex((photo) => photo.key === key);
    const take = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (held?.key !== key) {
      if (typed !== ' ') return;
      take();
      setHeld({ key, from: position });
      setSaid(texts.pickedUp(position + 1, photos.length));
      return;
    }
    const step = STEPS[typed];
    if (step !== undefined) {
      take();
      const to = Math.min(Math.max(position + step, 0), photos.length - 1);
      if (to !== position) list.move(key, to);
      setSaid(texts.movedTo(to + 1, photos.length));
    } else if (typed === ' ' || typed === 'Enter') {
      take();
      drop(position);
    } else if (typed === 'Escape') {
      take();
      list.move(key, held.from);
      setHeld(undefined);
      setSaid(texts.putBack(held.from + 1, photos.length));
    }
  };
  /** Who goes elsewhere has dropped it. */
  const onBlur = (key: string) => {
    if (held?.key === key) drop(photos.findIndex((photo) => photo.key === key));
  };
  return { held: held?.key, said, say: setSaid, onKeyDown, onBlur };
}
