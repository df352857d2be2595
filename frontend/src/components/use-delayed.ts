import { useEffect, useState } from 'react';

/** Skeletons appear after 200 ms only, so that quick answers don't flicker (visual.md, "States"). */
export const SKELETON_DELAY = 200;

/** False at first, true once `delay` ms have passed. */
export function useDelayed(delay = SKELETON_DELAY): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), delay);
    return () => clearTimeout(timer);
  }, [delay]);
  return due;
}
