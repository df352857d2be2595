import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useVideoTexts } from './texts.js';
import { stateText, UploadBar, UploadControls } from './upload-controls.js';
import { getUploads, subscribeToUploads } from './uploads.js';
import { videoFailure } from './video-failure.js';
import type { VideoUpload } from './video-upload.js';
import classes from './videos.module.css';

/**
 * What is on its way to the server, at the bottom of every page (UI-72). Nothing moves when it comes: what stands there stands above it.
 */
export function UploadStrip() {
  const { videos } = useVideoTexts();
  const uploads = useSyncExternalStore(subscribeToUploads, getUploads);
  const strip = useRef<HTMLElement>(null);
  const isEmpty = uploads.length === 0;
  useLayoutEffect(() => {
    if (isEmpty) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty('--pulso-uploads', `${strip.current?.offsetHeight ?? 0}px`),
    );
    observer.observe(strip.current!);
    return () => {
      observer.disconnect();
      style.removeProperty('--pulso-uploads');
    };
  }, [isEmpty]);
  if (isEmpty) return null;
  return (
    <section ref={strip} className={classes.strip} aria-label={videos.uploads}>
      <ul role="list" className={classes.inner}>
        {uploads.map((upload) => (
          <Row key={upload.key} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function Row({ upload }: { upload: VideoUpload }) {
  const texts = useVideoTexts();
  const { state, failure } = useSyncExternalStore(upload.subscribe, upload.getView);
  const problem = state === 'error' ? videoFailure(failure, upload.file.name, texts) : undefined;
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <p className={classes.name}>{upload.file.name}</p>
        <p className={problem ? classes.problem : classes.state} role={problem ? 'alert' : undefined}>
          {problem ?? stateText(upload, texts)}
        </p>
      </div>
      <div className={classes.controls}>
        {/* The buttons go with their focus. */}
        <UploadControls
          upload={upload}
          onGone={() => document.getElementById('main')?.focus({ preventScroll: true })}
        />
      </div>
      <UploadBar upload={upload} />
    </li>
  );
}
