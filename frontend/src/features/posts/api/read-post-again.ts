import { useQueryClient } from '@tanstack/react-query';
import type { Post } from '../../../api/types.js';
import { postQuery } from './get-post.js';
import { changePost, withMedia } from './post-cache.js';

/** GET /api/posts/{id} for new addresses of its media, which every list gets. Rejects as `unwrap` does. */
export function useReadAgain(postId: string): () => Promise<Post> {
  const queryClient = useQueryClient();
  return async () => {
    const fresh = await queryClient.fetchQuery({ ...postQuery(postId), staleTime: 0 });
    changePost(queryClient, postId, (post) => withMedia(post, fresh));
    return fresh;
  };
}
