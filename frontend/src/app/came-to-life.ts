import { useEffect } from 'react';

const waiting: (() => void)[] = [];

/** Calls `work` once the page can be used: its own code, too, is there. */
export const onceAlive = (work: () => void): void => void waiting.push(work);

/** Beside the page, within what waits for its code. */
export function CameToLife() {
  useEffect(() => {
    for (const work of waiting.splice(0)) work();
  }, []);
  return null;
}
