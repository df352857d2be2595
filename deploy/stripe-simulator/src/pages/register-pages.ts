import type { FastifyInstance } from 'fastify';
import { registerAccountPages } from './account.page.js';
import { registerCheckout } from './checkout.page.js';
import { registerControlPage } from './control.page.js';
import type { PageContext } from './page-app.js';
import { registerPortal } from './portal.page.js';
import { STYLE } from './style.js';

export function registerPages(app: FastifyInstance, context: PageContext): void {
  app.get('/_assets/style.css', (_, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
  registerCheckout(app, context);
  registerAccountPages(app, context);
  registerPortal(app, context);
  registerControlPage(app, context);
}
