/** In ms. Who is still here then has stopped the navigation, or the address has led nowhere. */
const MAX_LEAVE_MS = 10_000;

/**
 * Leads the browser to another site. Resolves only where the page is still there or there again: by Back, which may bring it as
 * it was left. So what has led there is busy until then, and not for ever.
 */
export function leaveFor(url: string): Promise<void> {
  return new Promise((resolve) => {
    const isHere = () => {
      clearTimeout(timer);
      window.removeEventListener('pageshow', onShown);
      resolve();
    };
    // Not of the page's first load, which may still go on.
    const onShown = ({ persisted }: PageTransitionEvent) => persisted && isHere();
    const timer = setTimeout(isHere, MAX_LEAVE_MS);
    window.addEventListener('pageshow', onShown);
    location.assign(url);
  });
}
