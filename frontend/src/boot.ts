import { beginPage } from './app/begin-page.js';
import { documentReady } from './browser/document-ready.js';
import { isRendered } from './browser/page-data.js';
import { restoreDrafts } from './drafts/drafts.js';
import { endFirstReads } from './server/session/first-reads.js';
import { expectsSession, session, viewerId } from './server/session/session.js';

// The first code of a page load, kept small: it asks for the session and the page's data while the rest arrives. Its script is
// `async`, since others wait for the style sheet.
const member = expectsSession();
// Before the session is known, which tells whose drafts stay.
restoreDrafts();
// A member's refresh takes the calls along that the page begins with, so it comes after these.
const booted = member ? Promise.resolve().then(() => session.boot()) : session.boot(false);
const viewer = booted.then(viewerId);
void viewer.then(endFirstReads);
beginPage(location, member, viewer, isRendered() && !member);
void documentReady().then(() => import('./main.js'));
