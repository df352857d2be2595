import { useQueryClient } from '@tanstack/react-query';
import { isNotFound } from '../../../api/api-error.js';
import { client, unwrap } from '../../../client/client.js';
import type { Visibility } from '../../../api/types.js';
import { useSingleMutation } from '../../../api/use-single-mutation.js';
import { changePost, dropPost } from './post-cache.js';

interface PostChange {
  content: string;
  visibility?: Visibility;
}

/** PATCH /api/posts/{id}; then every list shows the new text. A post that no longer exists is removed after `onGone`. */
export function useUpdatePost(id: string, onGone: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: PostChange) =>
      unwrap(client.PATCH('/api/posts/{id}', { params: { path: { id } }, body })),
    onSuccess: (post) => changePost(queryClient, id, () => post),
    onError: (error) => {
      if (!isNotFound(error)) return;
      onGone();
      dropPost(queryClient, id);
    },
  });
}
