import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { UseMutationOptions } from '@tanstack/react-query';
import { useId } from 'react';

/**
 * `useMutation` with one call at a time: during a call `mutate` does nothing. Asks the mutation cache, since a double click
 * comes before the render that sets `isPending`.
 */
export function useSingleMutation<Data, Variables, Context>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
) {
  const queryClient = useQueryClient();
  const id = useId();
  const mutationKey = options.mutationKey ?? ['single', id];
  const { mutate, mutateAsync: _unguarded, ...mutation } = useMutation({ ...options, mutationKey });
  const mutateOnce: typeof mutate = (...call) => {
    if (queryClient.isMutating({ mutationKey }) === 0) mutate(...call);
  };
  return { ...mutation, mutate: mutateOnce };
}
