import { useEffect, useState } from 'react';

/** Skeletons appear after 200 ms, so that fast answers do not flicker. */
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
