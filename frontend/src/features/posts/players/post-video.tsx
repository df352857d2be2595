import type { Post } from '../../../api/types.js';
import { LinkedVideo } from './linked-video.js';
import { UploadedPlayer } from './uploaded-player.js';

/** The video of a post, in the box that the card has for it. */
export function PostVideo({ post }: { post: Post }) {
  const { video } = post;
  if (video?.type === 'upload') return <UploadedPlayer post={post} video={video} />;
  if (video) return <LinkedVideo key={video.url} video={video} author={post.author.name} />;
  return null;
}
