import { createElement, lazy } from 'react';
import type { ComponentType } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

const renewals = new Set<() => void>();

/** A page in a chunk of its own. `lazy` remembers a failed load for good; this one until `retryFailedPages`. */
export function lazyPage(load: Load): ComponentType {
  const attempt = (): ComponentType =>
    lazy(async () => {
      try {
        return await load();
      } catch (error) {
        renewals.add(() => (page = attempt()));
        throw error;
      }
    });
  let page = attempt();
  return function LazyPage() {
    return createElement(page);
  };
}

/** Pages whose code could not be loaded are asked for again when they are next shown. */
export function retryFailedPages(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}
