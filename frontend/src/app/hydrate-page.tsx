import { hydrateRoot } from 'react-dom/client';
import { pageData } from '../browser/page-data.js';
import { App } from './app.js';
import { onceAlive } from './came-to-life.js';
import { endEarlyPresses } from './early-press.js';
import type { preparePage } from './routes.js';

/**
 * Brings a page to life that the server has rendered (UI-68). Its code and its data are there before, so that the first thing
 * that is rendered is what can be seen already.
 */
export async function hydratePage(root: HTMLElement, code: ReturnType<typeof preparePage>): Promise<void> {
  const cache = await code;
  cache?.seedQueries(pageData()?.queries ?? []);
  // From here on React keeps what comes before it is ready.
  const pressAgain = endEarlyPresses();
  onceAlive(pressAgain);
  hydrateRoot(root, <App />);
}
