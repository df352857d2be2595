import type { FastifyInstance } from 'fastify';
import { z, ZodError } from 'zod';
import { isFromHere } from '../http/is-from-here.js';
import { StripeError } from '../http/stripe-error.js';
import { PAUSE_BEHAVIORS } from '../resources/subscription.js';
import { type Controls, DISPUTE_MOVES } from './controls.js';

const byId = z.object({ id: z.string() });
const clock = z.strictObject({ ms: z.number().int().min(0) });
const card = z.strictObject({ card: z.string() });
const disputed = z.strictObject({ inquiry: z.boolean().default(false) });
const move = z.object({ id: z.string(), move: z.enum(DISPUTE_MOVES) });
const paused = z.strictObject({
  behavior: z.enum(PAUSE_BEHAVIORS).nullable(),
});
const onboarded = z.strictObject({ ready: z.boolean().default(true) });

/** The controls over HTTP, for suites in other processes and for the demo. All bodies are JSON. */
export function registerControlApi(app: FastifyInstance, controls: Controls): void {
  app.setErrorHandler((error, _, reply) => {
    if (error instanceof ZodError) return reply.code(400).send({ error: z.prettifyError(error) });
    if (error instanceof RangeError) return reply.code(400).send({ error: error.message });
    if (error instanceof StripeError) return reply.code(error.status).send({ error: error.message });
    throw error;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!isFromHere(request)) await reply.code(403).send({ error: 'This came from another site.' });
  });
  app.get('/state', () => controls.state());
  app.post('/clock', ({ body }) => controls.advance(clock.parse(body).ms));
  app.post('/faults', ({ body }) => controls.addFault(body as never));
  app.post('/webhooks', ({ body }) => controls.addWebhookRule(body as never));
  app.post('/clear', () => controls.clear());
  app.post('/events/:id/resend', ({ params }) => {
    controls.resend(byId.parse(params).id);
    return controls.state();
  });
  app.post('/accounts/:id/onboard', ({ params, body }) =>
    controls.onboard(byId.parse(params).id, onboarded.parse(body ?? {}).ready),
  );
  app.post('/customers/:id/card', ({ params, body }) => {
    controls.changeCard(byId.parse(params).id, card.parse(body).card);
    return controls.state();
  });
  app.post('/subscriptions/:id/dispute', ({ params, body }) =>
    controls.dispute(byId.parse(params).id, disputed.parse(body ?? {}).inquiry),
  );
  app.post('/subscriptions/:id/pause', ({ params, body }) =>
    controls.pause(byId.parse(params).id, paused.parse(body).behavior),
  );
  app.post('/disputes/:id/:move', ({ params }) => {
    const { id, move: to } = move.parse(params);
    return controls.moveDispute(id, to);
  });
  app.post('/checkouts/:id/pay', ({ params, body }) => {
    const { outcome, ...rest } = controls.pay(byId.parse(params).id, card.parse(body).card);
    return 'message' in rest ? { outcome, message: rest.message } : { outcome };
  });
}
