import type { FastifyRequest } from 'fastify';
import { callInProcess } from '../http/in-process-call.js';

/** What the pages of the application begin with; nothing else is read beside a refresh (ACCT-39). */
const PATHS = [
  /^\/api\/(feed|me|dashboard|subscriptions|conversations)$/,
  /^\/api\/users\/(by-username\/)?[^/?#]{1,200}$/,
  /^\/api\/users\/[^/?#]{1,200}\/posts$/,
  /^\/api\/posts\/[^/?#]{1,200}(\/comments)?$/,
];
/** A page begins with two calls at most. */
export const MOST_FIRST_READS = 2;
/** In ms; what takes longer, the page asks for itself. */
const TIMEOUT_MS = 500;
/** Of the refresh, for the calls that are made with it: what they are counted by, traced with and answered by. */
const HEADERS = [
  'host',
  'x-forwarded-for',
  'x-forwarded-proto',
  'user-agent',
  'accept-language',
  'traceparent',
  'pulso-after',
];

/** What `GET path` has answered. */
export interface FirstRead {
  path: string;
  etag?: string;
  body: unknown;
}

/**
 * What a page begins with, read with a refresh's new access token: each as the client's own `GET` would be answered, which counts
 * for the same limits. `asked` are the values of `?first=`. Never fails: a path that is not a page's beginning, an answer that is
 * no 200 or is not there in time, and one that is behind (`Pulso-Stale`) are left out.
 */
export async function firstReads(
  asked: unknown,
  accessToken: string,
  request: FastifyRequest,
): Promise<FirstRead[]> {
  const paths = [asked]
    .flat()
    .filter((path) => typeof path === 'string')
    .filter((path) => PATHS.some((known) => known.test(path)));
  const reads = [...new Set(paths)]
    .slice(0, MOST_FIRST_READS)
    .map((path) => read(path, accessToken, request).catch(() => undefined));
  return (await Promise.all(reads)).filter((one) => one !== undefined);
}

/** Rejects when it is not answered in time. */
async function read(
  path: string,
  accessToken: string,
  { server, raw, headers: given }: FastifyRequest,
): Promise<FirstRead | undefined> {
  const kept = HEADERS.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const { status, headers, body } = await callInProcess(
    (incoming, response) => server.routing(incoming, response),
    {
      url: path,
      headers: { ...Object.fromEntries(kept), authorization: `Bearer ${accessToken}` },
      remoteAddress: raw.socket.remoteAddress,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    },
  );
  if (status !== 200 || headers['pulso-stale'] !== undefined) return undefined;
  const { etag } = headers;
  return { path, ...(typeof etag === 'string' && { etag }), body: JSON.parse(body) as unknown };
}
