/** A style sheet that could not be loaded is over, too, by the time at which the window has loaded. */
const over = (link: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve) => {
    for (const type of ['load', 'error']) {
      link.addEventListener(type, resolve, { once: true });
      window.addEventListener(type, resolve, { once: true });
    }
  });

/**
 * Resolves once the document is parsed and has its styles, for code of an `async` script that shows or measures something: such
 * a script runs before.
 */
export async function documentReady(): Promise<void> {
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
  if (document.readyState === 'complete') return;
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  await Promise.all(sheets.filter(({ sheet }) => !sheet).map(over));
}
