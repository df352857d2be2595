import { createElement, lazy } from 'react';
import type { ComponentType } from 'react';

type Load<Props extends object> = () => Promise<ComponentType<Props>>;

/** The code of a component could not be loaded: no network, no server, or a newer version was deployed. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

const renewals = new Set<() => void>();

/** A component in its own chunk. `lazy` remembers a failed load forever, this one until `retryFailedLoads` (UI-42). */
export function lazyComponent<Props extends object>(load: Load<Props>): ComponentType<Props> {
  const attempt = (): ComponentType<Props> =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (cause) {
        renewals.add(() => (component = attempt()));
        throw new LoadFailure('code not loaded', { cause });
      }
    });
  let component = attempt();
  return function LazyComponent(props: Props) {
    return createElement(component, props);
  };
}

/** Lets components whose code failed to load try again when they are next rendered. */
export function retryFailedLoads(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}
