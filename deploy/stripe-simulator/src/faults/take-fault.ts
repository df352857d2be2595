import type { World } from '../books.js';
import type { Fault } from './rules.js';

/** What the next request is to suffer; counted off. */
export function takeFault({ store }: World, method: string, path: string): Fault | undefined {
  const fault = store
    .all('_fault')
    .find(
      (one) =>
        (one.method === undefined || one.method === method) &&
        (one.path === undefined || path.startsWith(one.path)),
    );
  if (!fault) return undefined;
  if (fault.count > 1) store.put('_fault', null, { ...fault, count: fault.count - 1 });
  else store.remove('_fault', fault.id);
  store.commit();
  return fault;
}
