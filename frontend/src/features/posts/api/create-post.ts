import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { idempotencyKeys } from '../../../api/idempotency.js';
import { queryKeys } from '../../../api/query-keys.js';
import type { Post, Visibility } from '../../../api/types.js';
import { useSingleMutation } from '../../../api/use-single-mutation.js';
import { client, unwrap } from '../../../client/client.js';
import { clearDraft } from '../drafts.js';

export interface NewPost {
  content: string;
  visibility: Visibility;
}

interface Outcome {
  onCreated: () => void;
  onFailed: (error: unknown) => void;
}

const mutationKey = ['create-post'];

// Like the draft it outlives the page: whoever leaves while a post is on its way, comes back and sends the same again
// has still one post.
const keys = idempotencyKeys();

/**
 * POST /api/posts. The new post is pinned first in the feed, which refetches (product.md section 2, "Feed"). One at a
 * time: `isPosting` also tells of one that another page has sent, and `post` then does nothing. The outcome is told
 * wherever the author is by then.
 */
export function useCreatePost({ onCreated, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  const isPosting = useIsMutating({ mutationKey }) > 0;
  const { mutate } = useSingleMutation({
    mutationKey,
    mutationFn: (body: NewPost) =>
      unwrap(
        client.POST('/api/posts', {
          params: { header: { 'Idempotency-Key': keys.keyFor(body) } },
          body,
        }),
      ),
    onSuccess: (post) => {
      keys.done();
      clearDraft(post.author.id);
      queryClient.setQueryData<Post[]>(queryKeys.pinnedPosts, (pinned = []) => [
        post,
        ...pinned.filter(({ id }) => id !== post.id),
      ]);
      void queryClient.invalidateQueries({ queryKey: queryKeys.posts.feed });
      void queryClient.invalidateQueries({ queryKey: queryKeys.posts.byUser(post.author.id) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
      onCreated();
    },
    onError: onFailed,
  });
  return { post: mutate, isPosting };
}
