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

/** PATCH /api/posts/{id}; every list shows the new text at once. A post that is gone leaves the lists, after `onGone`. */
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
