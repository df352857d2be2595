import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useHydrated } from '../../../components/use-hydrated.js';
import type { Picture } from './layout.js';

/** Reads the post again, whose answer has new addresses (MEDIA-19), and gives its pictures. */
export type ReadAgain = () => Promise<readonly Picture[]>;

/**
 * The loading of a picture that a component shows; `given` is what the post says of it now. Addresses of subscribers' posts
 * last 5 minutes: where one fails, the post is read again and the picture asked for once more, once. What has been loaded
 * keeps its address, though a later reading brings a new one.
 */
export function usePicture(given: Picture, readAgain: ReadAgain) {
  const [picture, setPicture] = useState(given);
  /** A new one makes a new element, which asks again for the same address, too. */
  const [attempt, setAttempt] = useState(0);
  // What the server has rendered is shown as it comes: it may be there, or have failed, before there is code that could be told.
  const [isRendered] = useState(!useHydrated());
  const image = useRef<HTMLImageElement>(null);
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(isRendered ? 'loaded' : 'loading');
  const renewed = useRef(false);

  const load = (next: Picture) => {
    setPicture(next);
    setAttempt((last) => last + 1);
    setState('loading');
  };
  const renew = async () => {
    // Another picture of the post has had it read again, or a list.
    if (given.url !== picture.url) return load(given);
    renewed.current = true;
    try {
      const fresh = (await readAgain()).find(({ id }) => id === given.id);
      if (fresh) load(fresh);
      else setState('failed');
    } catch {
      // Why makes no difference here: the picture's place says that it is missing, and offers to try again.
      setState('failed');
    }
  };
  const retry = useEffectEvent(() => void renew());

  useEffect(() => {
    if (state !== 'failed') return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [state]);

  const onError = () => {
    if (renewed.current) setState('failed');
    else void renew();
  };
  const look = useEffectEvent(() => {
    const { complete, naturalWidth } = image.current ?? {};
    if (isRendered && complete && naturalWidth === 0) onError();
  });
  useEffect(() => look(), []);

  return {
    picture,
    attempt,
    state,
    /** Of the element. */
    image,
    onLoad: () => {
      renewed.current = false;
      setState('loaded');
    },
    onError,
    onRetry: () => void renew(),
  };
}
