import { createElement, lazy, useState } from 'react';
import type { ComponentType, FunctionComponent } from 'react';

type Load<Props extends object> = () => Promise<ComponentType<Props>>;

/** The code of a component could not be loaded: no network, no server, or a newer version was deployed. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

const renewals = new Set<() => void>();

export interface LazyComponent<Props extends object> extends FunctionComponent<Props> {
  /** Brings the code, so that what is mounted then is rendered at once. Rejects where it cannot be loaded. */
  prepare: () => Promise<void>;
}

/**
 * A component in its own chunk. `lazy` remembers a failed load forever, this one until `retryFailedLoads` (UI-42). It waits for
 * code that is there not at all: React would show a fallback, and what takes its place 300 ms later at the earliest.
 */
export function lazyComponent<Props extends object>(load: Load<Props>): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const prepare = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const attempt = (): ComponentType<Props> =>
    lazy(async () => {
      try {
        return await prepare();
      } catch (cause) {
        renewals.add(() => (component = attempt()));
        throw new LoadFailure('code not loaded', { cause });
      }
    });
  let component = attempt();
  return Object.assign(
    (props: Props) => {
      // What is mounted stays, also when the code of `component` is there.
      const [ready] = useState(() => loaded);
      return createElement(ready ?? component, props);
    },
    { displayName: 'LazyComponent', prepare: () => prepare().then(() => undefined) },
  );
}

/** Lets components whose code failed to load try again when they are next rendered. */
export function retryFailedLoads(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}
