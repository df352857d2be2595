import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../../api/client.js';
import { useIdempotencyKey } from '../../../api/idempotency.js';
import type { Post, Visibility } from '../../../api/types.js';
import { clearDraft } from '../drafts.js';
import { postKeys } from './post-cache.js';

export interface NewPost {
  content: string;
  visibility: Visibility;
}

/** POST /api/posts. The new post is pinned first in the feed, which refetches (product.md section 2, "Feed"). */
export function useCreatePost() {
  const queryClient = useQueryClient();
  const idempotency = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: NewPost) =>
      unwrap(
        client.POST('/api/posts', {
          params: { header: { 'Idempotency-Key': idempotency.keyFor(body) } },
          body,
        }),
      ),
    onSuccess: (post) => {
      idempotency.done();
      clearDraft(post.author.id);
      queryClient.setQueryData<Post[]>(postKeys.pinned, (pinned = []) => [post, ...pinned]);
      void queryClient.invalidateQueries({ queryKey: postKeys.feed });
      void queryClient.invalidateQueries({ queryKey: postKeys.byUser(post.author.id) });
      void queryClient.invalidateQueries({ queryKey: ['profiles'] });
    },
  });
}
