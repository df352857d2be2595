import { AsyncLocalStorage } from 'node:async_hooks';

/** True for what a suite itself asks of the stores: `hearCosts` does not count it. */
export const quietly = new AsyncLocalStorage<true>();
