import { fetchWithTimeout } from '../http/fetch-with-timeout.js';
import { rememberCaller } from './caller.js';
import type { CheckCaller, ViewerSource } from './caller.js';
import { getReadAfter } from '../http/read-after.js';
import { newTraceparent } from '../http/traceparent.js';

/** The part of the session a request needs. */
export interface TokenSource extends ViewerSource {
  accessToken(): Promise<string | undefined>;
  replace(used: string): Promise<string | undefined>;
  forceSignOut(): void;
}

type Fetch = (request: Request) => Promise<Response>;

/** Sends a call as its caller. Without `checkCaller` that is who is the viewer at this moment. */
export type SendAsCaller = (request: Request, checkCaller?: CheckCaller) => Promise<Response>;

/**
 * Adds the access token and `Pulso-After` (HTTP-2). Refreshes once when the gateway refuses the token, and ends the
 * session when it refuses the new one too. The call throws SessionOverError where it would go out as another user.
 */
export function authorizedFetch(tokens: TokenSource, send: Fetch = fetchWithTimeout): SendAsCaller {
  let after: string | null = null;

  const attempt = async (request: Request, token: string | undefined): Promise<Response> => {
    const headers = new Headers(request.headers);
    if (token) headers.set('Authorization', `Bearer ${token}`);
    const known = [after, getReadAfter()].filter((one) => one !== null && one !== undefined);
    if (known.length > 0) headers.set('Pulso-After', known.join(', '));
    headers.set('traceparent', newTraceparent());
    const response = await send(new Request(request, { headers }));
    // The gateway merges the value of the request into its answer, so the last value is complete.
    after = response.headers.get('Pulso-After') ?? after;
    return response;
  };

  return async (request, checkCaller = rememberCaller(tokens)) => {
    const endSession = () => {
      checkCaller();
      tokens.forceSignOut();
    };
    const token = await tokens.accessToken();
    checkCaller();
    const response = await attempt(request.clone(), token);
    const code = await problemCode(response);
    if (code === 'user-disabled') endSession();
    if (!token || response.status !== 401) return response;

    const fresh = await tokens.replace(token);
    if (!fresh) return response;
    checkCaller();
    const second = await attempt(request, fresh);
    if (second.status === 401) endSession();
    return second;
  };
}

async function problemCode(response: Response): Promise<string | undefined> {
  if (response.status !== 401 && response.status !== 403) return undefined;
  // A proxy's HTML page is not a problem document and has no code.
  if (!response.headers.get('Content-Type')?.includes('json')) return undefined;
  const body: unknown = await response.clone().json();
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined;
}
