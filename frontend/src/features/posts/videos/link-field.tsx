import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormAlert } from '../../../components/form-alert.js';
import { isWebUrl } from '../post-fields.js';
import { useVideoTexts } from './texts.js';
import classes from './videos.module.css';

/** Exact hosts, and the ends of files: what the server judges in the same way is known to play (POST-17). */
const HOSTS = [
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'youtu.be',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
  'vimeo.com',
  'www.vimeo.com',
  'player.vimeo.com',
];

function isKnown(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname } = new URL(text);
  return HOSTS.includes(hostname) || /[.](?:mp4|webm|ogg)$/i.test(pathname);
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
      {valid && !isKnown(url.trim()) && (
        <div className={classes.note}>
          <FormAlert type="warning">{videos.otherLink}</FormAlert>
        </div>
      )}
    </>
  );
}
