import { IconExternalLink, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { VideoLink } from '../../../api/types.js';
import { playsNoMore, playsNow } from './play-one.js';
import { Player } from './player.js';
import { usePlayerTexts } from './texts.js';
import classes from './player.module.css';

/** Whose frames the page may have (POST-18); the Content-Security-Policy lets no others in. */
const FRAMES = new Set(['https://www.youtube-nocookie.com', 'https://player.vimeo.com']);

/** A video of another place: nothing is asked of it before a press (POST-18). */
export function LinkedVideo({ video, author }: { video: VideoLink; author: string }) {
  const { player } = usePlayerTexts();
  const [playing, setPlaying] = useState(false);
  const [failed, setFailed] = useState(false);
  const { platform, direct } = video.metadata;
  const { origin, host } = new URL(video.url);
  const embeds = platform !== 'external' && FRAMES.has(origin);
  if ((!embeds && !direct) || failed) return <Elsewhere href={video.originalUrl} failed={failed} />;
  if (playing && embeds) return <Frame video={video} author={author} onStop={() => setPlaying(false)} />;
  if (playing) return <Player src={video.url} author={author} autoPlay onFailed={() => setFailed(true)} />;
  const place = platform === 'external' ? host : player[platform];
  return (
    <>
      <button
        type="button"
        className={classes.tile}
        aria-label={`${player.play(author)}. ${player.loadsFrom(place)}`}
        onClick={() => setPlaying(true)}
      >
        <span className={classes.play}>
          <IconPlayerPlayFilled size={28} aria-hidden />
        </span>
        <span className={classes.place}>{player.loadsFrom(place)}</span>
      </button>
      {/* In place of the button (UI-69). */}
      <noscript>
        <Elsewhere href={video.originalUrl} failed={false} />
      </noscript>
    </>
  );
}

interface FrameProps {
  video: VideoLink;
  author: string;
  onStop: () => void;
}

function Frame({ video, author, onStop }: FrameProps) {
  const { player } = usePlayerTexts();
  const frame = useRef<HTMLIFrameElement>(null);
  const stop = useRef(onStop);
  useEffect(() => {
    const { current } = stop;
    playsNow(current);
    // The button has gone with its focus.
    frame.current?.focus({ preventScroll: true });
    return () => playsNoMore(current);
  }, []);
  const address = new URL(video.url);
  address.searchParams.set('autoplay', '1');
  return (
    <iframe
      ref={frame}
      className={classes.video}
      src={address.href}
      title={player.by(author)}
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="strict-origin-when-cross-origin"
    />
  );
}

/** Opens beside the page, in its own place. */
function Elsewhere({ href, failed }: { href: string; failed: boolean }) {
  const { player } = usePlayerTexts();
  return (
    <div className={classes.still} role={failed ? 'alert' : undefined}>
      {failed && <p className={classes.said}>{player.failed}</p>}
      <a href={href} target="_blank" rel="noopener noreferrer" className={classes.button}>
        <IconExternalLink size={18} aria-hidden /> {player.opens(new URL(href).host)}
        <span className="visually-hidden"> ({player.newTab})</span>
      </a>
    </div>
  );
}
