import { useQueryClient } from '@tanstack/react-query';
import { isNotFound } from '../../../api/api-error.js';
import { client, unwrap } from '../../../client/client.js';
import type { Visibility } from '../../../api/types.js';
import { useSingleMutation } from '../../../api/use-single-mutation.js';
import { changePost, dropPost } from './post-cache.js';

export interface PostChange {
  content: string;
  visibility?: Visibility;
}

interface Outcome {
  onSaved: (sent: PostChange) => void;
  onGone: () => void;
  onFailed: (error: Error) => void;
}

/**
 * PATCH /api/posts/{id}; then every list shows the new text. A post that no longer exists is removed after `onGone`. The
 * callbacks run even if the dialog has been closed.
 */
export function useUpdatePost(id: string, { onSaved, onGone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: PostChange) =>
      unwrap(client.PATCH('/api/posts/{id}', { params: { path: { id } }, body })),
    onSuccess: (post, sent) => {
      changePost(queryClient, id, () => post);
      onSaved(sent);
    },
    onError: (error) => {
      if (!isNotFound(error)) return onFailed(error);
      onGone();
      dropPost(queryClient, id);
    },
  });
}
