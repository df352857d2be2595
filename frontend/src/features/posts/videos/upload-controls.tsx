import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { ProgressBar } from '../../../components/progress-bar.js';
import actions from '../actions.module.css';
import { useVideoTexts } from './texts.js';
import type { VideoTexts } from './texts.js';
import { may } from './upload-states.js';
import { cancelUpload } from './uploads.js';
import type { VideoUpload } from './video-upload.js';

/** Pause, Resume, Cancel, Retry and Remove of an upload: those that are possible in its state (MEDIA-10). */
export function UploadControls({ upload, onGone }: { upload: VideoUpload; onGone?: () => void }) {
  const { videos } = useVideoTexts();
  const { state } = useSyncExternalStore(upload.subscribe, upload.getView);
  const { name } = upload.file;
  const giveUp = () => {
    flushSync(() => void cancelUpload(upload));
    onGone?.();
  };
  const acts = [
    { act: 'pause', label: videos.pause, Icon: IconPlayerPause, run: () => upload.pause() },
    { act: 'resume', label: videos.resume, Icon: IconPlayerPlay, run: () => upload.resume() },
    { act: 'retry', label: videos.retry, Icon: IconRefresh, run: () => upload.resume() },
    { act: 'cancel', label: videos.cancel, Icon: IconX, run: giveUp },
    { act: 'remove', label: videos.remove, Icon: IconX, run: giveUp },
  ] as const;
  // Pause and Resume are one button, and so are the others: the focus stays.
  return acts
    .filter(({ act }) => may(act, state))
    .filter(({ act }) => !(act === 'resume' && state === 'pausing'))
    .map(({ act, label, Icon, run }) => (
      <button
        key={act === 'cancel' || act === 'remove' ? 'end' : 'go'}
        type="button"
        className={actions.action}
        aria-label={videos.actOn(label, name)}
        onClick={run}
      >
        <Icon size={18} aria-hidden />
        <span>{label}</span>
      </button>
    ));
}

/** What an upload does at the moment. */
export function stateText(upload: VideoUpload, { videos }: VideoTexts): string {
  const { state } = upload.getView();
  const { percent } = upload;
  switch (state) {
    case 'running':
      return videos.uploading(percent);
    case 'pausing':
      return videos.pausing;
    case 'paused':
      return videos.pausedAt(percent);
    case 'canceling':
    case 'canceled':
      return videos.canceling;
    case 'success':
      return videos.uploading(100);
    case 'error':
      return videos.pausedAt(percent);
  }
}

/** How much of an upload is there. */
export function UploadBar({ upload }: { upload: VideoUpload }) {
  const { videos } = useVideoTexts();
  return <ProgressBar label={videos.progress} percent={upload.percent} />;
}
