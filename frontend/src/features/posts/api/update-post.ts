import { useQueryClient } from '@tanstack/react-query';
import { isNotFound } from '../../../server/http/api-error.js';
import { client, unwrap } from '../../../server/client/client.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import type { PostChange } from '../post-fields.js';
import { changePost, dropPost } from './post-cache.js';

interface Outcome {
  onSaved: (sent: PostChange) => void;
  onGone: () => void;
  onFailed: (error: Error) => void;
}

/**
 * PATCH /api/posts/{id}; then every list shows the post as it is now. A post that no longer exists is removed after `onGone`. The
 * callbacks run even if the dialog has been closed.
 */
export function useUpdatePost(id: string, { onSaved, onGone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: PostChange) =>
      // The client's types leave out what can only be null.
      unwrap(
        client.PATCH('/api/posts/{id}', {
          params: { path: { id } },
          body: body as Omit<PostChange, 'video'>,
        }),
      ),
    onSuccess: (post, sent) => {
      changePost(queryClient, id, () => post);
      void queryClient.invalidateQueries({ queryKey: queryKeys.storage });
      onSaved(sent);
    },
    onError: (error) => {
      if (!isNotFound(error)) return onFailed(error);
      onGone();
      dropPost(queryClient, id);
    },
  });
}
