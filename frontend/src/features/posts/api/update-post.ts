import { useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../../api/client.js';
import type { Visibility } from '../../../api/types.js';
import { useSingleMutation } from '../../../api/use-single-mutation.js';
import { changePost } from './post-cache.js';

interface PostChange {
  content: string;
  visibility?: Visibility;
}

/** PATCH /api/posts/{id}; every list shows the new text at once. */
export function useUpdatePost(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: PostChange) =>
      unwrap(client.PATCH('/api/posts/{id}', { params: { path: { id } }, body })),
    onSuccess: (post) => changePost(queryClient, id, () => post),
  });
}
