import { fetchWithTimeout } from '../api/fetch-with-timeout.js';
import { newTraceparent } from './traceparent.js';

/** The part of the session a request needs. */
export interface TokenSource {
  accessToken(): Promise<string | undefined>;
  replace(used: string): Promise<string | undefined>;
  forceSignOut(): void;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * Adds the access token and `Pulso-After` (HTTP-2). Refreshes once when the gateway refuses the token, and ends the
 * session when it refuses the new one too.
 */
export function authorizedFetch(tokens: TokenSource, send: Fetch = fetchWithTimeout): Fetch {
  let after: string | null = null;

  const attempt = async (request: Request, token: string | undefined): Promise<Response> => {
    const headers = new Headers(request.headers);
    if (token) headers.set('Authorization', `Bearer ${token}`);
    if (after) headers.set('Pulso-After', after);
    headers.set('traceparent', newTraceparent());
    const response = await send(new Request(request, { headers }));
    // The gateway merges the value of the request into its answer, so the last value is complete.
    after = response.headers.get('Pulso-After') ?? after;
    return response;
  };

  return async (request) => {
    const token = await tokens.accessToken();
    const response = await attempt(request.clone(), token);
    const code = await problemCode(response);
    if (code === 'user-disabled') tokens.forceSignOut();
    if (!token || response.status !== 401) return response;

    const fresh = await tokens.replace(token);
    if (!fresh) return response;
    const second = await attempt(request, fresh);
    if (second.status === 401) tokens.forceSignOut();
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
