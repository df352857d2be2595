import { useHydrated } from '../../../components/use-hydrated.js';
import { useMedia } from '../../../components/use-media.js';

/** Whether the visitor prefers reduced motion or reduced data: then the video neither plays nor loads by itself. */
export function useStillness(): boolean {
  const lessMotion = useMedia('(prefers-reduced-motion: reduce)');
  const lessData = useMedia('(prefers-reduced-data: reduce)');
  // Until it is known what the visitor prefers, as in what the server renders.
  if (!useHydrated()) return true;
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return lessMotion || lessData || connection?.saveData === true;
}
