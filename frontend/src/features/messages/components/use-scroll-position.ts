import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** As near to the newest message as this, in px, counts as being there. */
const NEAR_NEWEST_PX = 48;

/**
 * The scroll position of a thread (UI-60). The scrolling element is laid out from its bottom (`flex-direction:
 * column-reverse`), so that 0 is the newest message and older ones that are put above move nothing. What comes below moves
 * what a reader further up sees; that is put right here.
 *
 * @param newest another value with each message at the end
 */
export function useScrollPosition(newest: unknown) {
  const scroller = useRef<HTMLDivElement>(null);
  /** The part that grows at its end. */
  const tail = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  const [atNewest, setAtNewest] = useState(true);

  useLayoutEffect(() => {
    const next = tail.current?.offsetHeight ?? 0;
    const grown = next - height.current;
    height.current = next;
    const element = scroller.current;
    if (element && grown !== 0 && element.scrollTop < -NEAR_NEWEST_PX) element.scrollTop -= grown;
  }, [newest]);

  // The window may become narrower, and fonts may load: then the same messages have another height.
  useEffect(() => {
    const element = tail.current;
    if (!element) return;
    const sizes = new ResizeObserver(() => (height.current = element.offsetHeight));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (element) setAtNewest(element.scrollTop >= -NEAR_NEWEST_PX);
  }, []);
  const toNewest = useCallback(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
    setAtNewest(true);
  }, []);
  return { scroller, tail, atNewest, onScroll, toNewest };
}
