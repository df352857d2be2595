import { QueryClient } from '@tanstack/react-query';
import type { DefaultOptions } from '@tanstack/react-query';
import { ApiError } from '../http/api-error.js';

/** Retries once, and only after a lost answer or a 5xx. */
const isRetried = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

/**
 * The `meta` of a query for what stands beside a page, or of a part that it does without: the server renders the page also where the
 * answer does not come.
 */
export const BESIDE = { beside: true } as const;

export const queryDefaults: DefaultOptions = {
  queries: {
    staleTime: 15_000,
    retry: (failures, error) => failures < 1 && isRetried(error),
    retryDelay: 500,
    // Try even if the browser reports no network: a cached page is better than an error.
    networkMode: 'always',
    // What did not load without a network loads when it is back.
    refetchOnReconnect: (query) => query.state.status === 'error',
  },
  mutations: { retry: false, networkMode: 'always' },
};

/** This tab's. */
export const queryClient = new QueryClient({ defaultOptions: queryDefaults });
