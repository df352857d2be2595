import { IconMovie } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { ACCEPTED_VIDEOS } from '../../../server/videos/check-video.js';
import photoClasses from '../photos/photos.module.css';
import { useVideoTexts } from './texts.js';

interface VideoIntakeProps {
  onChoose: (files: readonly File[]) => void;
  /** For the file of an upload that was interrupted. */
  again?: boolean;
}

/** Asks the system for a file. What is dropped comes by the whole publisher. */
export function VideoIntake({ onChoose, again = false }: VideoIntakeProps) {
  const { videos } = useVideoTexts();
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const onChosen = () => {
    const files = [...(input.current?.files ?? [])];
    // Else the same file could not be chosen again.
    if (input.current) input.current.value = '';
    onChoose(files);
  };
  return (
    <>
      <button
        type="button"
        className={photoClasses.add}
        data-add
        data-wide
        aria-describedby={again ? undefined : hintId}
        onClick={() => input.current?.click()}
      >
        <IconMovie size={24} aria-hidden />
        <span>
          <strong>{again ? videos.chooseAgain : videos.choose}</strong>{' '}
          <span className={photoClasses.drop}>{videos.drop}</span>
        </span>
      </button>
      <input ref={input} type="file" accept={ACCEPTED_VIDEOS} hidden onChange={onChosen} />
      {!again && (
        <p id={hintId} className={photoClasses.hint}>
          {videos.hint}
        </p>
      )}
    </>
  );
}
