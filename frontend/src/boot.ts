import { beginPage } from './app/begin-page.js';
import { isRendered } from './browser/page-data.js';
import { restoreDrafts } from './drafts/drafts.js';
import { expectsSession, session, viewerId } from './server/session/session.js';

// The first code of a page load, kept small: it asks for the session and the page's data while the rest arrives.
const member = expectsSession();
// Before the session is known, which tells whose drafts stay.
restoreDrafts();
const viewer = session.boot(member).then(viewerId);
beginPage(location, member, viewer, isRendered() && !member);
void import('./main.js');
