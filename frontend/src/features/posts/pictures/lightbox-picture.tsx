import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { usePostTexts } from '../texts.js';
import { averageColor } from './blurhash.js';
import type { Picture } from './layout.js';
import classes from './lightbox.module.css';
import { usePicture } from './use-picture.js';
import type { ReadAgain } from './use-picture.js';

interface LightboxPictureProps {
  given: Picture;
  /** "Photo 2 of 6": its name where it has no alternative text. */
  position: string;
  readAgain: ReadAgain;
  onReady: () => void;
}

/** A picture in its whole size, over its thumbnail, which the card has loaded, until it is there. */
export function LightboxPicture({ given, position, readAgain, onReady }: LightboxPictureProps) {
  const { pictures } = usePostTexts();
  const { picture, attempt, state, onLoad, onError, onRetry } = usePicture(given, readAgain);
  const ready = useEffectEvent(onReady);
  useEffect(() => {
    if (state === 'loaded') ready();
  }, [state]);
  if (state === 'failed') {
    return (
      <div className={classes.failed} role="alert">
        <p>{pictures.failed}</p>
        <button type="button" className={classes.retry} onClick={onRetry}>
          <IconRefresh size={18} aria-hidden /> {pictures.retry}
        </button>
      </div>
    );
  }
  return (
    <div className={classes.picture} style={{ backgroundColor: averageColor(given.blurhash) }}>
      {/* One that cannot be loaded leaves the colour. */}
      {state === 'loading' && (
        <img src={picture.thumbnail} alt="" className={classes.fill} draggable={false} />
      )}
      <img
        key={attempt}
        src={picture.url}
        alt={given.alt || position}
        className={classes.fill}
        data-loaded={state === 'loaded' || undefined}
        draggable={false}
        onLoad={onLoad}
        onError={onError}
      />
    </div>
  );
}
