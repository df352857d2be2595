import { useQueryClient } from '@tanstack/react-query';
import { postQuery } from '../api/get-post.js';
import { changePost, withPictures } from '../api/post-cache.js';
import type { ReadAgain } from './use-picture.js';

/** GET /api/posts/{id} for new addresses of its pictures, which every list gets. Rejects as `unwrap` does. */
export function useReadAgain(postId: string): ReadAgain {
  const queryClient = useQueryClient();
  return async () => {
    const fresh = await queryClient.fetchQuery({ ...postQuery(postId), staleTime: 0 });
    changePost(queryClient, postId, (post) => withPictures(post, fresh));
    return fresh.images;
  };
}
