import type { ComponentType } from 'react';
import { lazyComponent } from './lazy-component.js';
import type { LazyComponent } from './lazy-component.js';

/** A component in its own chunk that uses queries, whose code is loaded beside it: the landing page does without. */
export function lazyWithQueries<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  return lazyComponent(async () => {
    const [{ Queries }, Component] = await Promise.all([import('../server/queries/queries.js'), load()]);
    return function WithQueries(props: Props) {
      return (
        <Queries>
          <Component {...props} />
        </Queries>
      );
    };
  });
}
