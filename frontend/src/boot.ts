import { beginPage } from './app/begin-page.js';
import { documentReady } from './browser/document-ready.js';
import { isRendered } from './browser/page-data.js';
import { restoreDrafts } from './drafts/drafts.js';
import { beginFirstReads, endFirstReads, refreshAsked } from './server/session/first-reads.js';
import { expectsSession, session, viewerId } from './server/session/session.js';

/** How long, in ms, the rest waits for the refresh to go out; another tab may hold its lock. */
const ASK_MS = 50;

// The first code of a page load, kept small: it asks for the session and the page's data while the rest arrives. Its script is
// `async`, since others wait for the style sheet.
const member = expectsSession();
// Before the session is known, which tells whose drafts stay.
restoreDrafts();
if (member) beginFirstReads();
// A member's refresh takes the calls along that the page begins with, so it comes after these.
const booted = member ? Promise.resolve().then(() => session.boot()) : session.boot(false);
const viewer = booted.then(viewerId);
void viewer.then(endFirstReads);
beginPage(location, member, viewer, isRendered() && !member);
const asked = member
  ? Promise.race([refreshAsked, new Promise((resolve) => setTimeout(resolve, ASK_MS))])
  : undefined;
void Promise.all([documentReady(), asked]).then(() => import('./main.js'));
