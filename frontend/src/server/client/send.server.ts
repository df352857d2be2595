import { rendering } from '../../rendering/rendering.js';

/** Sends a call as the visitor whose page is rendered. */
export const send = (request: Request): Promise<Response> => rendering().fetch(request);

/** Of calls: who answers them looks at the path alone. */
export const origin = 'http://localhost';
