import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';

/** An answer is an answer: only lost ones and a service that is down are asked again, once. */
const isTransient = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 1 && isTransient(error),
      retryDelay: 500,
      // A stale page beats an error message while the browser believes it is offline.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
