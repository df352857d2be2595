import { useEffect, useRef, useState } from 'react';
import { useComputedColorScheme } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import darkMp4 from '../assets/hero-dark.mp4';
import darkWebm from '../assets/hero-dark.webm';
import darkPoster from '../assets/hero-dark.webp';
import lightMp4 from '../assets/hero-light.mp4';
import lightWebm from '../assets/hero-light.webm';
import lightPoster from '../assets/hero-light.webp';
import { useHydrated } from '../../../components/use-hydrated.js';
import { useLandingTexts } from '../texts.js';
import classes from './hero-video.module.css';
import { usePageLoaded } from './use-page-loaded.js';
import { useStillness } from './use-stillness.js';

const FILMS = {
  light: { webm: lightWebm, mp4: lightMp4, poster: lightPoster },
  dark: { webm: darkWebm, mp4: darkMp4, poster: darkPoster },
};

/** Our own film (frontend/tools/hero) behind the text; a poster until it plays (UI-12). */
export function HeroVideo() {
  const { landing } = useLandingTexts();
  const video = useRef<HTMLVideoElement>(null);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const hydrated = useHydrated();
  const still = useStillness();
  /** The visitor's choice by button; it overrides the system's preference. */
  const [asked, setAsked] = useState<boolean>();
  const [playing, setPlaying] = useState(false);
  const plays = asked ?? !still;
  // The poster and the page's code come first: the film is larger than all of them.
  const loaded = usePageLoaded();
  const starts = plays && loaded;

  useEffect(() => {
    // Browsers may refuse, for example on low battery; the poster stays.
    if (starts) video.current?.play().catch(() => {});
    else video.current?.pause();
  }, [starts, scheme]);

  const toggle = () => {
    setAsked(!playing);
    // At once, while the press is handled.
    if (!playing) video.current?.play().catch(() => {});
  };

  // The server does not know the scheme, and without scripts a video has controls: the style sheet shows its poster.
  if (!hydrated) return <div className={classes.video} />;
  const { webm, mp4, poster } = FILMS[scheme];
  const Icon = playing ? IconPlayerPauseFilled : IconPlayerPlayFilled;
  return (
    <>
      <video
        // A video element does not reload when its sources change.
        key={scheme}
        ref={video}
        className={classes.video}
        width={1600}
        height={900}
        poster={poster}
        preload="none"
        muted
        loop
        playsInline
        disablePictureInPicture
        aria-hidden
        tabIndex={-1}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      >
        <source src={webm} type="video/webm" />
        <source src={mp4} type="video/mp4" />
      </video>
      <button
        type="button"
        className={classes.toggle}
        aria-label={playing ? landing.pauseVideo : landing.playVideo}
        onClick={toggle}
      >
        <Icon size={18} aria-hidden />
      </button>
    </>
  );
}
