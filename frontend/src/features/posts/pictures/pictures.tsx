import { IconRefresh } from '@tabler/icons-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { CSSProperties } from 'react';
import type { Post } from '../../../api/types.js';
import { ErrorBoundary } from '../../../components/error-boundary.js';
import { lazyComponent } from '../../../components/lazy-component.js';
import { LazyDialog } from '../../../components/lazy-dialog.js';
import { useHydrated } from '../../../components/use-hydrated.js';
import { watchNear } from '../../../components/watch-near.js';
import { useReadAgain } from '../api/read-post-again.js';
import { usePostTexts } from '../texts.js';
import { videoRatio } from '../video-ratio.js';
import { averageColor } from './blurhash.js';
import { SHOWN_PICTURES, boxRatio, sourcesOf } from './layout.js';
import type { Picture } from './layout.js';
import classes from './pictures.module.css';
import { usePicture } from './use-picture.js';
import type { ReadAgain } from './use-picture.js';

const Blur = lazyComponent(() => import('./blur.js').then((module) => module.Blur));
const PostVideo = lazyComponent(() => import('../players/post-video.js').then((module) => module.PostVideo));
const loadLightbox = () => import('./lightbox.js').then((module) => module.Lightbox);
const Lightbox = lazyComponent(loadLightbox);

/** A failure is told when a picture is pressed, which loads the code again. */
const prepareLightbox = () => void loadLightbox().catch(() => undefined);

/** px of a window that are beside the pictures, on phones. */
const BESIDE = 58;
/** px; of a window that the server does not know. */
const WIDE = 1280;

interface PicturesProps {
  post: Post;
  /** First on its page: loaded before what is further down. */
  first?: boolean;
}

/**
 * The pictures of a post, five at most, or its video, in a box that has its size before they load; a press opens the lightbox
 * (UI-20). Nothing for a post without either.
 */
export function Pictures({ post, first = false }: PicturesProps) {
  const [opened, setOpened] = useState<{ index: number; tile: HTMLElement }>();
  const readPost = useReadAgain(post.id);
  const readAgain = async () => (await readPost()).images;
  const { images, video } = post;
  if (video) return <VideoBox post={post} video={video} />;
  if (images.length === 0) return null;
  const box = boxRatio(images);
  return (
    <>
      <div
        className={classes.box}
        data-pictures={Math.min(images.length, SHOWN_PICTURES)}
        style={{ '--ratio': box, '--own': `${images[0]!.metadata.dimensions.width}px` } as CSSProperties}
      >
        {images.slice(0, SHOWN_PICTURES).map((picture, index) => (
          <Tile
            key={picture.id}
            given={picture}
            author={post.author.name}
            index={index}
            count={images.length}
            box={box}
            first={first}
            readAgain={readAgain}
            onOpen={(tile) => setOpened({ index, tile })}
          />
        ))}
      </div>
      {opened && (
        <LazyDialog onClose={() => setOpened(undefined)}>
          <Lightbox
            post={post}
            start={opened.index}
            readAgain={readAgain}
            returnFocusTo={() => opened.tile}
            onClose={() => setOpened(undefined)}
          />
        </LazyDialog>
      )}
    </>
  );
}

/** Has the size of the video; what plays it comes when it is near the window. */
function VideoBox({ post, video }: { post: Post; video: NonNullable<Post['video']> }) {
  const hydrated = useHydrated();
  const [near, setNear] = useState(!hydrated);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (near ? undefined : watchNear(box.current!, '200px', () => setNear(true))), [near]);
  const ratio = videoRatio(video.type === 'upload' ? video.metadata : undefined);
  return (
    <div ref={box} className={classes.box} data-pictures={1} style={{ '--ratio': ratio } as CSSProperties}>
      <ErrorBoundary fallback={null}>
        <Suspense>{near && <PostVideo post={post} />}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

interface TileProps {
  given: Picture;
  author: string;
  index: number;
  count: number;
  box: number;
  first: boolean;
  readAgain: ReadAgain;
  onOpen: (tile: HTMLElement) => void;
}

function Tile({ given, author, index, count, box, first, readAgain, onOpen }: TileProps) {
  const { pictures } = usePostTexts();
  const hydrated = useHydrated();
  // What has been chosen stays: what the server has named may be there already.
  const [room] = useState(() => (hydrated ? innerWidth - BESIDE : WIDE));
  const { picture, attempt, state, image, onLoad, onError, onRetry } = usePicture(given, readAgain);
  const style = { backgroundColor: averageColor(given.blurhash) };
  if (state === 'failed') {
    return (
      <button type="button" className={`${classes.tile} ${classes.failed}`} onClick={onRetry}>
        <span>{pictures.failed}</span>
        <span className={classes.retry}>
          <IconRefresh size={16} aria-hidden /> {pictures.retry}
        </span>
      </button>
    );
  }
  const more = index === SHOWN_PICTURES - 1 ? count - SHOWN_PICTURES : 0;
  return (
    <button
      type="button"
      className={classes.tile}
      style={style}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
      onPointerEnter={prepareLightbox}
      onFocus={prepareLightbox}
    >
      <span className="visually-hidden">{pictures.open(index + 1, count)}</span>
      {/* It stays: a browser may decode the picture again when it comes back into view. */}
      <ErrorBoundary fallback={null}>
        <Suspense fallback={null}>
          <Blur hash={given.blurhash} className={classes.blur} />
        </Suspense>
      </ErrorBoundary>
      <img
        key={attempt}
        ref={image}
        {...sourcesOf(picture, index, count, box, room)}
        alt={given.alt || pictures.by(author)}
        className={classes.picture}
        data-loaded={state === 'loaded' || undefined}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : undefined}
        decoding="async"
        onLoad={onLoad}
        onError={onError}
      />
      {more > 0 && (
        <span className={classes.more}>
          <span aria-hidden>+{more}</span>
          <span className="visually-hidden">{pictures.more(more)}</span>
        </span>
      )}
    </button>
  );
}
