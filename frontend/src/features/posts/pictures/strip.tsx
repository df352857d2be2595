import { useEffect, useRef } from 'react';
import { averageColor } from './blurhash.js';
import type { Picture } from './layout.js';
import classes from './lightbox.module.css';
import { useLightboxTexts } from './texts.js';
import { usePicture } from './use-picture.js';
import type { ReadAgain } from './use-picture.js';

interface StripProps {
  images: readonly Picture[];
  index: number;
  readAgain: ReadAgain;
  onChoose: (id: string) => void;
}

/** The thumbnails of a post's pictures; a press shows that picture. */
export function Strip({ images, index, readAgain, onChoose }: StripProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [index]);
  return (
    <ul ref={list} className={classes.strip}>
      {images.map((image, at) => (
        <li key={image.id}>
          <Thumbnail
            given={image}
            position={[at + 1, images.length]}
            current={at === index}
            readAgain={readAgain}
            onChoose={() => onChoose(image.id)}
          />
        </li>
      ))}
    </ul>
  );
}

interface ThumbnailProps {
  given: Picture;
  position: [n: number, of: number];
  current: boolean;
  readAgain: ReadAgain;
  onChoose: () => void;
}

function Thumbnail({ given, position, current, readAgain, onChoose }: ThumbnailProps) {
  const { lightbox } = useLightboxTexts();
  const { picture, attempt, state, onLoad, onError } = usePicture(given, readAgain);
  return (
    <button
      type="button"
      className={classes.thumbnail}
      aria-label={[lightbox.position(...position), given.alt].filter(Boolean).join(': ')}
      aria-current={current || undefined}
      style={{ backgroundColor: averageColor(given.blurhash) }}
      onClick={onChoose}
    >
      {state !== 'failed' && (
        <img
          key={attempt}
          src={picture.thumbnail}
          alt=""
          onLoad={onLoad}
          onError={onError}
          draggable={false}
        />
      )}
    </button>
  );
}
