import '@fontsource-variable/figtree';
import './app/mantine-styles.js';
import './app/global.css';
import './app/print.css';
import 'virtual:theme-variables.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { shownPath } from './app/begin-page.js';
import { endEarlyPresses } from './app/early-press.js';
import { followSession } from './app/follow-session.js';
import { hydratePage } from './app/hydrate-page.js';
import { preparePage } from './app/routes.js';
import { isRendered } from './browser/page-data.js';
import { expectsSession } from './server/session/session.js';

/** How long, in ms, the first paint waits for the code of its page, which is loaded beside this. */
const CODE_WAIT_MS = 150;

followSession();

const root = document.getElementById('root');
if (root) {
  const code = preparePage(shownPath(location.pathname, expectsSession()));
  if (isRendered() && !expectsSession()) void hydratePage(root, code);
  else {
    const late = new Promise((resolve) => setTimeout(resolve, CODE_WAIT_MS));
    void Promise.race([code, late]).then(() => {
      // A member who meets a visitor's page: it was kept from before the login.
      root.replaceChildren();
      endEarlyPresses();
      createRoot(root).render(<App />);
    });
  }
}
