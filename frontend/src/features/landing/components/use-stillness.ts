import { useHydrated } from '../../../components/use-hydrated.js';
import { useMedia } from '../../../components/use-media.js';

interface Connection {
  saveData?: boolean;
  /** By what has been measured: 3g is slower than 0.7 Mbit/s or 270 ms a round trip. */
  effectiveType?: string;
}

/**
 * Whether the visitor prefers reduced motion or reduced data, or has a slow connection: then the video neither plays nor loads by
 * itself.
 */
export function useStillness(): boolean {
  const lessMotion = useMedia('(prefers-reduced-motion: reduce)');
  const lessData = useMedia('(prefers-reduced-data: reduce)');
  // Until it is known what the visitor prefers, as in what the server renders.
  if (!useHydrated()) return true;
  const { connection } = navigator as Navigator & { connection?: Connection };
  const isSlow = ['slow-2g', '2g', '3g'].includes(connection?.effectiveType ?? '');
  return lessMotion || lessData || isSlow || connection?.saveData === true;
}
