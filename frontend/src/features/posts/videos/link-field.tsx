import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormAlert } from '../../../components/form-alert.js';
import { isWebUrl } from '../post-fields.js';
import { useVideoTexts } from './texts.js';
import classes from './videos.module.css';

const YOUTUBE = ['', 'www.', 'm.', 'music.'].map((sub) => `${sub}youtube.com`);
const SHORT_YOUTUBE = ['youtu.be', 'www.youtu.be', 'youtube-nocookie.com', 'www.youtube-nocookie.com'];
const VIMEO = ['', 'www.', 'm.', 'player.'].map((sub) => `${sub}vimeo.com`);

/** Whether it looks like a link that plays. Posts judges it when it is published (POST-17); this is to warn before. */
function looksPlayable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname, search } = new URL(text);
  // The id of a video.
  if ([...YOUTUBE, ...SHORT_YOUTUBE].includes(hostname))
    return /[/=][\w-]{11}(?![\w-])/.test(pathname + search);
  if (VIMEO.includes(hostname)) return /\/[1-9]\d*(?:\/|$)/.test(pathname);
  return /[.](?:mp4|webm|ogg)$/i.test(pathname);
}

interface LinkFieldProps {
  url: string;
  onChange: (url: string) => void;
}

/** A link in place of a file. Nothing is asked of what it leads to. */
export function LinkField({ url, onChange }: LinkFieldProps) {
  const { videos } = useVideoTexts();
  // What is being typed is no mistake yet.
  const [wasLeft, setLeft] = useState(url !== '');
  const valid = isWebUrl(url);
  return (
    <>
      <TextInput
        type="url"
        inputMode="url"
        label={videos.linkLabel}
        description={videos.linkHint}
        placeholder="https://"
        value={url}
        error={url !== '' && wasLeft && !valid ? videos.invalidLink : undefined}
        data-add
        onBlur={() => setLeft(true)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {valid && !looksPlayable(url.trim()) && (
        <div className={classes.note}>
          <FormAlert type="warning">{videos.otherLink}</FormAlert>
        </div>
      )}
    </>
  );
}
