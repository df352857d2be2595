import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Post } from '../../../api/types.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';
import { viewerId } from '../../../server/session/session.js';
import { keepTypedSince, postKeys } from '../drafts.js';
import type { NewPost } from '../post-fields.js';

interface Creation {
  /** The post with its video on the server, which it may have to wait for. */
  wholeOf: (post: NewPost) => Promise<NewPost>;
  onCreated: () => void;
  onFailed: (error: unknown, post: NewPost) => void;
}

export const CREATE_POST = ['create-post'];

/**
 * POST /api/posts, once its video is on the server, wherever in the app its author is then (UI-65). The new post is pinned first in the feed, which refetches (POST-13). One at a time: `isPosting` is
 * also true for a post sent from another page, and `post` then does nothing. The callbacks run even if the author has
 * left the page.
 */
export function useCreatePost({ wholeOf, onCreated, onFailed }: Creation) {
  const queryClient = useQueryClient();
  const isPosting = useIsMutating({ mutationKey: CREATE_POST }) > 0;
  const { mutate } = useSingleMutation({
    mutationKey: CREATE_POST,
    mutationFn: async (given: NewPost) => {
      const author = viewerId();
      const body = await wholeOf(given);
      const key = author && postKeys(author).keyFor(body);
      const header = { 'Idempotency-Key': key };
      return { post: await unwrap(client.POST('/api/posts', { params: { header }, body })), sent: body };
    },
    onSuccess: ({ post, sent }) => {
      postKeys(post.author.id).done();
      keepTypedSince(post.author.id, sent);
      queryClient.setQueryData<Post[]>(queryKeys.pinnedPosts, (pinned = []) => [
        post,
        ...pinned.filter(({ id }) => id !== post.id),
      ]);
      void queryClient.invalidateQueries({ queryKey: queryKeys.posts.feed });
      void queryClient.invalidateQueries({ queryKey: queryKeys.posts.byUser(post.author.id) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
      void queryClient.invalidateQueries({ queryKey: queryKeys.storage });
      onCreated();
    },
    onError: onFailed,
  });
  return { post: mutate, isPosting };
}
