import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { playsNoMore, playsNow } from './play-one.js';
import { usePlayerTexts } from './texts.js';
import classes from './player.module.css';

interface PlayerProps {
  src: string;
  poster?: string;
  author: string;
  /** Reads the post again, for another address (MEDIA-20); without it the address is not ours. */
  readAgain?: () => Promise<{ url: string } | undefined>;
  /** It was asked for by a press. */
  autoPlay?: boolean;
  /** In place of Try again. */
  onFailed?: () => void;
}

/**
 * The browser's own player. Nothing is loaded before it plays. Its address stays as long as it plays: where it has expired, the
 * post is read again, once, and playing goes on where it was.
 */
export function Player({ src: given, poster, author, readAgain, autoPlay = false, onFailed }: PlayerProps) {
  const { player } = usePlayerTexts();
  const video = useRef<HTMLVideoElement>(null);
  const [src, setSrc] = useState(given);
  const [failed, setFailed] = useState(false);
  const renewed = useRef(false);
  /** Where playing goes on, in s, once the new address is there. */
  const goesOn = useRef<number>(undefined);

  const stop = useRef(() => video.current?.pause());
  useEffect(() => {
    const { current } = stop;
    return () => playsNoMore(current);
  }, []);

  const renew = async () => {
    renewed.current = true;
    goesOn.current = video.current?.currentTime ?? 0;
    try {
      // A list may have had it read again.
      const url = given === src ? (await readAgain?.())?.url : given;
      if (!url) return setFailed(true);
      // The element has it before it is to play.
      flushSync(() => {
        setFailed(false);
        setSrc(url);
      });
      if (url === src) video.current?.load();
      await video.current?.play();
    } catch {
      // Not read, or not played: with controls both can be tried again.
      setFailed(!video.current || video.current.error !== null);
    }
  };
  const onError = () => {
    if (readAgain && !renewed.current) void renew();
    else if (onFailed) onFailed();
    else setFailed(true);
  };
  const onLoadedMetadata = () => {
    if (video.current && goesOn.current) video.current.currentTime = goesOn.current;
    goesOn.current = undefined;
  };
  const begin = useEffectEvent(() => {
    if (autoPlay) void video.current?.play().catch(() => undefined);
  });
  useEffect(() => begin(), []);

  return (
    <>
      <video
        ref={video}
        className={classes.video}
        src={src}
        poster={poster || undefined}
        preload="none"
        controls
        playsInline
        aria-label={player.by(author)}
        onPlay={() => playsNow(stop.current)}
        onPlaying={() => (renewed.current = false)}
        onLoadedMetadata={onLoadedMetadata}
        onError={onError}
      />
      {failed && (
        <div className={classes.still} role="alert">
          <p className={classes.said}>{player.failed}</p>
          <button type="button" className={classes.button} onClick={() => void renew()}>
            <IconRefresh size={18} aria-hidden /> {player.retry}
          </button>
        </div>
      )}
    </>
  );
}
