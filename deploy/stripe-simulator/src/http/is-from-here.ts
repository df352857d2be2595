import type { FastifyRequest } from 'fastify';

/** Whether a request is a program's or one of this server's own pages: another site in a browser must not pay or turn the clock. */
export function isFromHere({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  // Over plain HTTP a browser sends only this.
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
