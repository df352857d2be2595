/** Calls `seen` each time that `element` comes into the window, or within `margin` of it. Returns what ends it. */
export function watchNear(element: Element, margin: string, seen: () => void): () => void {
  const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen(), {
    rootMargin: margin,
  });
  observer.observe(element);
  return () => observer.disconnect();
}
