/** In ms. Who is still here then has stopped the navigation, or the address has led nowhere. */
const MAX_LEAVE_MS = 10_000;

/**
 * Leads the browser to another site. Resolves only where the page is still there or there again: by Back, which may bring it as
 * it was left. So what has led there is busy until then, and not for ever.
 */
export function leaveFor(url: string): Promise<void> {
  return new Promise((resolve) => {
    const isBack = () => {
      clearTimeout(timer);
      window.removeEventListener('pageshow', isBack);
      resolve();
    };
    const timer = setTimeout(isBack, MAX_LEAVE_MS);
    window.addEventListener('pageshow', isBack);
    location.assign(url);
  });
}
