import { IconMovie, IconMovieOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Post, UploadedVideo } from '../../../api/types.js';
import { useLiveEvents } from '../../../server/live/live-events.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { changePost } from '../api/post-cache.js';
import { useReadAgain } from '../api/read-post-again.js';
import { videoRatio } from '../video-ratio.js';
import { ownVideoOf, subscribeToOwnVideos } from './own-videos.js';
import { Player } from './player.js';
import { usePlayerTexts } from './texts.js';
import classes from './player.module.css';

interface UploadedPlayerProps {
  post: Post;
  video: UploadedVideo;
}

const none = () => undefined;

/** An uploaded video, whatever the server has made of it so far. */
export function UploadedPlayer({ post, video }: UploadedPlayerProps) {
  const { player } = usePlayerTexts();
  const queryClient = useQueryClient();
  const isOwn = useCurrentUser()?.id === post.author.id;
  const own = useSyncExternalStore(subscribeToOwnVideos, () => ownVideoOf(video.id), none);

  const readPost = useReadAgain(post.id);
  const readAgain = async () => {
    const { video: fresh } = await readPost();
    return fresh?.type === 'upload' ? fresh : undefined;
  };
  const isProcessing = video.status === 'processing';
  useLiveEvents((event) => {
    if (event.type === 'reload' && isProcessing) void readAgain().catch(none);
    if (event.type !== 'post-media' || event.data.media.id !== video.id || !('status' in event.data.media))
      return;
    const { media } = event.data;
    changePost(queryClient, post.id, (shown) => ({ ...shown, video: media }));
  });
  // It may have become ready while no page that shows it was there to hear of it.
  const onProcessing = useEffectEvent(() => void readAgain().catch(none));
  useEffect(() => {
    if (isProcessing && isOwn) onProcessing();
  }, [isProcessing, isOwn]);

  // The box of the card has the proportions that the server knows: none yet.
  const still = useRef<HTMLDivElement>(null);
  const facts = isProcessing ? own?.facts : undefined;
  useLayoutEffect(() => {
    if (facts) still.current?.parentElement?.style.setProperty('--ratio', String(videoRatio(facts)));
  }, [facts]);

  if (video.status === 'ready' && video.url)
    return (
      <Player src={video.url} poster={video.thumbnail} author={post.author.name} readAgain={readAgain} />
    );
  const said =
    video.status === 'processing'
      ? player.processing
      : video.status === 'ready'
        ? player.noAddress
        : isOwn && video.problem
          ? video.problem
          : player.notAvailable;
  const Icon = isProcessing ? IconMovie : IconMovieOff;
  return (
    <div ref={still} className={classes.still}>
      {isProcessing && own?.poster && <img src={own.poster} alt="" className={classes.poster} />}
      <p
        className={classes.said}
        role={isProcessing ? 'status' : undefined}
        data-over={own?.poster ? '' : undefined}
      >
        <Icon size={22} aria-hidden /> {said}
      </p>
    </div>
  );
}
