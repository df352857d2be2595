import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { World } from '../books.js';
import type { Controls } from '../controls/controls.js';
import type { LoggedRequest } from '../http/api.js';
import { isFromHere } from '../http/is-from-here.js';
import { html } from './html.js';
import { layout } from './layout.js';

export interface PageContext {
  world: World;
  controls: Controls;
  /** The latest requests of the API, the newest first. */
  log: readonly LoggedRequest[];
}

/** What a page is asked with: the parts of its path, its query, and the fields of its form. */
export interface Visit {
  params: Record<string, string>;
  query: URLSearchParams;
  form: URLSearchParams;
}

/** A page as text, or where the browser goes. */
export type Shown = string | { to: string } | { status: number; page: string };

/** A page that can be read, and (`act`) changed by its form. */
export function servePage(
  app: FastifyInstance,
  path: string,
  { show, act }: { show: (visit: Visit) => Shown; act?: (visit: Visit) => Shown },
): void {
  app.get(path, (request, reply) => answer(reply, show(visitOf(request))));
  if (act)
    app.post(path, (request, reply) =>
      isFromHere(request)
        ? answer(reply, act(visitOf(request)))
        : answer(reply, { status: 403, page: messagePage('This form was sent by another site.') }),
    );
}

function visitOf({ params, url, body }: FastifyRequest): Visit {
  return {
    params: params as Record<string, string>,
    query: new URLSearchParams(url.split('?')[1] ?? ''),
    form: new URLSearchParams(typeof body === 'string' ? body : ''),
  };
}

function answer(reply: FastifyReply, shown: Shown): FastifyReply {
  reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  if (typeof shown === 'string') return reply.type('text/html; charset=utf-8').send(shown);
  if ('to' in shown) return reply.redirect(shown.to, 303);
  return reply.code(shown.status).type('text/html; charset=utf-8').send(shown.page);
}

export const messagePage = (text: string): string =>
  layout(
    { title: 'Stripe simulator' },
    html`<h1>${text}</h1>
      <p>You can close this page.</p>`,
  );

export const goneTo = (text: string): Shown => ({ status: 404, page: messagePage(text) });
