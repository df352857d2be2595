import { useState } from 'react';
import type { ComponentType } from 'react';
import { pageData } from '../browser/page-data.js';
import { lazyComponent } from './lazy-component.js';
import type { LazyComponent } from './lazy-component.js';
import { useHydrated } from './use-hydrated.js';

/** A component in its own chunk that uses queries, whose code is loaded beside it: the landing page does without. */
export function lazyWithQueries<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  return lazyComponent(async () => {
    const [{ Queries, seedQueries }, Component] = await Promise.all([
      import('../server/queries/queries.js'),
      load(),
    ]);
    return function WithQueries(props: Props) {
      // On the landing page, which comes to life without queries, it is the first that has any.
      const hydrated = useHydrated();
      useState(() => {
        if (!hydrated) seedQueries(pageData()?.queries ?? []);
      });
      return (
        <Queries>
          <Component {...props} />
        </Queries>
      );
    };
  });
}
