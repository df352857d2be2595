import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { FormAlert } from '../../../components/form-alert.js';
import { draftOf, setDraft, useDraft } from '../drafts.js';
import photoClasses from '../photos/photos.module.css';
import choice from '../choice.module.css';
import { chooseVideo, getChoiceProblem, setChoiceProblem, subscribeToChoice } from './draft-video.js';
import { ChosenVideo } from './chosen-video.js';
import { LinkField } from './link-field.js';
import { useVideoTexts } from './texts.js';
import { VideoIntake } from './video-intake.js';
import { refusalText } from './video-failure.js';
import classes from './videos.module.css';

type Source = 'upload' | 'link';

/** The video of the new post (UI-65): a file that is uploaded, or a link. */
export function VideoPanel({ userId }: { userId: string }) {
  const texts = useVideoTexts();
  const { videos } = texts;
  const { video } = useDraft(userId);
  const [source, setSource] = useState<Source>(video?.type === 'url' ? 'link' : 'upload');
  const problem = useSyncExternalStore(subscribeToChoice, getChoiceProblem);
  const panel = useRef<HTMLElement>(null);
  /** The link, while the other source is shown. */
  const [link, setLink] = useState('');
  const name = useId();
  useEffect(() => () => setChoiceProblem(undefined), []);

  const choose = (files: readonly File[]) => void chooseVideo(userId, files);
  const focusChoice = () => panel.current?.querySelector<HTMLElement>('[data-add]')?.focus();
  const onSource = (next: Source) => {
    setSource(next);
    setChoiceProblem(undefined);
    // One that is not shown is not published; it is there again with its field.
    if (next === 'upload') setLink(video?.type === 'url' ? video.url : '');
    setDraft(userId, {
      ...draftOf(userId),
      video: next === 'link' && link ? { type: 'url', url: link } : null,
    });
  };

  const file = video?.type === 'upload' ? video : undefined;
  return (
    <section ref={panel} className={photoClasses.panel} aria-label={videos.title}>
      {!file && (
        <fieldset className={choice.control}>
          <legend className="visually-hidden">{videos.source}</legend>
          {(['upload', 'link'] as const).map((one) => (
            <label key={one} className={choice.option}>
              <input
                type="radio"
                name={name}
                value={one}
                checked={source === one}
                onChange={() => onSource(one)}
              />
              {videos[one]}
            </label>
          ))}
        </fieldset>
      )}
      {file && <ChosenVideo userId={userId} video={file} onChoose={choose} onRemoved={focusChoice} />}
      {!file && source === 'upload' && <VideoIntake onChoose={choose} />}
      {!file && source === 'link' && (
        <LinkField
          url={video?.type === 'url' ? video.url : ''}
          onChange={(url) =>
            setDraft(userId, { ...draftOf(userId), video: url ? { type: 'url', url } : null })
          }
        />
      )}
      {problem && (
        <div className={classes.note}>
          <FormAlert>{problem === 'none' ? videos.none : refusalText(problem, texts)}</FormAlert>
        </div>
      )}
    </section>
  );
}
