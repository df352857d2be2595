import { useMediaQuery } from '@mantine/hooks';

/** Whether `query` matches, from the first render on: the page is not laid out in another way first. */
export const useMedia = (query: string): boolean =>
  useMediaQuery(query, undefined, { getInitialValueInEffect: false });
