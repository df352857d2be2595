import { useMediaQuery } from '@mantine/hooks';

const AT_ONCE = { getInitialValueInEffect: false };

/** Whether the visitor prefers reduced motion or reduced data: then the video neither plays nor loads by itself. */
export function useStillness(): boolean {
  const lessMotion = useMediaQuery('(prefers-reduced-motion: reduce)', undefined, AT_ONCE);
  const lessData = useMediaQuery('(prefers-reduced-data: reduce)', undefined, AT_ONCE);
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return lessMotion || lessData || connection?.saveData === true;
}
