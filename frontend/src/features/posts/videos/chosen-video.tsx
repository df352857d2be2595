import { IconMovie, IconX } from '@tabler/icons-react';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { FormAlert } from '../../../components/form-alert.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { isNotFound } from '../../../server/http/api-error.js';
import { CREATE_POST } from '../api/create-post.js';
import actions from '../actions.module.css';
import type { DraftUpload } from '../post-fields.js';
import { dropDraftVideo, markFailed, removeVideo } from './draft-video.js';
import { ownVideoOf, subscribeToOwnVideos } from '../players/own-videos.js';
import { useVideoTexts } from './texts.js';
import { stateText, UploadBar, UploadControls } from './upload-controls.js';
import { subscribeToUploads, uploadOfDraft } from './uploads.js';
import { useOwnMedia } from './use-own-media.js';
import { videoFailure } from './video-failure.js';
import { VideoIntake } from './video-intake.js';
import type { VideoUpload } from './video-upload.js';
import classes from './videos.module.css';

interface ChosenVideoProps {
  userId: string;
  video: DraftUpload;
  onChoose: (files: readonly File[]) => void;
  /** The focus has to go somewhere. */
  onRemoved: () => void;
}

/** The file of the new post: on its way, on the server, or waiting to be chosen again. */
export function ChosenVideo({ userId, video, onChoose, onRemoved }: ChosenVideoProps) {
  const texts = useVideoTexts();
  const { videos, locale } = texts;
  const upload = useSyncExternalStore(subscribeToUploads, uploadOfDraft);
  const own = useSyncExternalStore(subscribeToOwnVideos, () => ownVideoOf(upload?.key ?? video.id));
  const { data: media, error, refetch } = useOwnMedia(video.id);

  // After a refusal it may turn out that it is gone.
  const isPosting = useIsMutating({ mutationKey: CREATE_POST }) > 0;
  const wasPosting = useRef(false);
  useEffect(() => {
    if (wasPosting.current && !isPosting && video.id !== undefined) void refetch();
    wasPosting.current = isPosting;
  }, [isPosting, video.id, refetch]);
  const onGone = useEffectEvent(() => {
    dropDraftVideo(userId, video.id!);
    toast({ type: 'warning', message: videos.expired });
  });
  const isGone = isNotFound(error);
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone]);

  const problem = media?.status === 'failed' ? (media.problem ?? videos.prepareFailed) : undefined;
  const onProblem = useEffectEvent(() => markFailed(userId, video.id!, problem!));
  useEffect(() => {
    if (problem !== undefined) onProblem();
  }, [problem]);

  const remove = () => {
    flushSync(() => void removeVideo(userId));
    onRemoved();
  };
  const poster = own?.poster ?? media?.thumbnail;
  const { width, height, duration = 0 } = own?.facts ?? media?.metadata ?? {};
  const size = video.file?.size ?? media?.metadata.size ?? 0;
  // Nothing that is there has 0 MB.
  const megabytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(
    size && Math.max(0.1, size / 1024 ** 2),
  );
  return (
    <div className={classes.chosen}>
      <span
        className={classes.poster}
        style={{ aspectRatio: width && height ? `${width} / ${height}` : '16 / 9' }}
      >
        {poster ? <img src={poster} alt="" /> : <IconMovie size={28} aria-hidden />}
      </span>
      <div className={classes.facts}>
        <p className={classes.name}>{video.file?.name ?? media?.metadata.name}</p>
        <p className={classes.state}>{videos.about(megabytes, duration > 0 ? clock(duration) : '')}</p>
        {upload && <UploadState upload={upload} onGone={onRemoved} />}
        {video.problem !== undefined && <FormAlert>{video.problem}</FormAlert>}
        {!upload && video.id === undefined && video.problem === undefined && (
          <>
            <p className={classes.state}>{videos.waitsForFile(video.file?.name ?? '')}</p>
            <VideoIntake again onChoose={onChoose} />
          </>
        )}
        {video.id !== undefined && (
          <p className={classes.state} role="status">
            {media?.status === 'ready' ? videos.ready : videos.preparing}
          </p>
        )}
        {own?.fault && (
          <p className={classes.state} role="status">
            {videos[own.fault]}
          </p>
        )}
        {!upload && (
          <button
            type="button"
            className={`${actions.action} ${classes.outdented}`}
            aria-label={videos.removeVideo}
            onClick={remove}
          >
            <IconX size={18} aria-hidden />
            <span>{videos.remove}</span>
          </button>
        )}
      </div>
    </div>
  );
}

function UploadState({ upload, onGone }: { upload: VideoUpload; onGone: () => void }) {
  const texts = useVideoTexts();
  const { state, failure } = useSyncExternalStore(upload.subscribe, upload.getView);
  const reason = state === 'error' ? videoFailure(failure, upload.file.name, texts) : undefined;
  return (
    <>
      {!reason && <p className={classes.state}>{stateText(upload, texts)}</p>}
      {/* Of what the server has refused, nothing is there. */}
      {(!reason || upload.percent > 0) && <UploadBar upload={upload} />}
      {reason && <FormAlert>{reason}</FormAlert>}
      <div className={classes.controls}>
        <UploadControls upload={upload} onGone={onGone} />
      </div>
    </>
  );
}

/** `seconds` as 1:05. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
