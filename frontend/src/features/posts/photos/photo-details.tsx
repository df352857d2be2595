import { Button, Textarea } from '@mantine/core';
import { LIMITS } from '../../../api/limits.js';
import { CharactersLeft } from '../../../components/characters-left.js';
import { typedKey } from '../../../components/shortcuts/typed-key.js';
import { lengthError } from '../../../validation/text.js';
import type { Photo } from './photo-list.js';
import classes from './photos.module.css';
import { usePhotoTexts } from './texts.js';

interface PhotoDetailsProps {
  photo: Photo;
  position: number;
  onChange: (texts: Partial<Pick<Photo, 'alt' | 'caption'>>) => void;
  onDone: () => void;
}

/** Alt text and caption of a photo, below the row. Written at once, so that nothing has to be saved. */
export function PhotoDetails({ photo, position, onChange, onDone }: PhotoDetailsProps) {
  const texts = usePhotoTexts();
  const { photos } = texts;
  const { altLength, captionLength } = LIMITS;
  return (
    <fieldset
      className={classes.details}
      onKeyDown={(event) => {
        if (typedKey(event) !== 'Escape') return;
        // It would close the dialog around it.
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
    >
      <legend className="visually-hidden">{photos.textsOf(position)}</legend>
      {photo.preview && <img className={classes.large} src={photo.preview} alt="" />}
      <div className={classes.fields}>
        <Textarea
          label={photos.altText}
          description={photos.altHint}
          value={photo.alt}
          error={lengthError(photos.altText, photo.alt, altLength, texts)}
          autosize
          minRows={2}
          maxRows={6}
          data-photo-alt
          onChange={({ currentTarget }) => onChange({ alt: currentTarget.value })}
        />
        <CharactersLeft text={photo.alt} limit={altLength} />
        <Textarea
          label={photos.caption}
          description={photos.captionHint}
          value={photo.caption}
          error={lengthError(photos.caption, photo.caption, captionLength, texts)}
          autosize
          minRows={1}
          maxRows={4}
          onChange={({ currentTarget }) => onChange({ caption: currentTarget.value })}
        />
        <CharactersLeft text={photo.caption} limit={captionLength} />
        <Button variant="default" className={classes.done} onClick={onDone}>
          {photos.done}
        </Button>
      </div>
    </fieldset>
  );
}
