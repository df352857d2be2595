import '@fontsource-variable/figtree';
import './app/mantine-styles.js';
import './app/global.css';
import './app/print.css';
import 'virtual:theme-variables.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { endEarlyPresses } from './app/early-press.js';
import { followSession } from './app/follow-session.js';
import { hydratePage } from './app/hydrate-page.js';
import { isRendered } from './browser/page-data.js';
import { expectsSession } from './server/session/session.js';

followSession();

const root = document.getElementById('root');
if (root) {
  if (isRendered() && !expectsSession()) void hydratePage(root);
  else {
    // A member who meets a visitor's page: it was kept from before the login.
    root.replaceChildren();
    endEarlyPresses();
    createRoot(root).render(<App />);
  }
}
