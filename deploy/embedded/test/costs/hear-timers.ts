import { createHook } from 'node:async_hooks';

/** Counts the timers that fire in this process from now on, until `end` returns their number. */
export function hearTimers(): { end(): number } {
  const timers = new Set<number>();
  let fired = 0;
  const hook = createHook({
    init: (id, type) => void (type === 'Timeout' && timers.add(id)),
    before: (id) => void (timers.has(id) && (fired += 1)),
  }).enable();
  return {
    end() {
      hook.disable();
      return fired;
    },
  };
}
