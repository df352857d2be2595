import { useCallback, useSyncExternalStore } from 'react';

const unknown = () => undefined;

/**
 * Whether `query` matches, from the first render on: the page is not laid out in another way first. Undefined in what the server
 * renders, which has to be right for all: there the style sheet hides what does not match.
 */
export function useKnownMedia(query: string): boolean | undefined {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches, unknown);
}

/** As `useKnownMedia`; what the server renders is without what asks for it. */
export const useMedia = (query: string): boolean => useKnownMedia(query) ?? false;
