import { IconPhoto } from '@tabler/icons-react';
import { usePostTexts } from '../texts.js';
import actions from './actions.module.css';
import classes from './publisher.module.css';
import type { Photos } from './use-photos.js';

/** Opens and closes the panel of photos; with photos in it, it asks for more (UI-18). */
export function PhotoButton({ photos }: { photos: Pick<Photos, 'isOpen' | 'toggle' | 'preload'> }) {
  const { publisher } = usePostTexts();
  return (
    <button
      type="button"
      className={`${actions.action} ${classes.photo}`}
      aria-expanded={photos.isOpen}
      onPointerEnter={photos.preload}
      onFocus={photos.preload}
      onClick={photos.toggle}
    >
      <IconPhoto size={20} aria-hidden />
      {publisher.photo}
    </button>
  );
}
