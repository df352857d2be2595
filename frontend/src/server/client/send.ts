import { session } from '../session/session.js';
import { authorizedFetch } from './authorized-fetch.js';

/** Sends a call as the viewer of this tab. */
export const send = authorizedFetch(session);

/** Of calls. */
export const origin = globalThis.location?.origin;
