import { STATUS_CODES } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { type World } from './books.js';
import { Controls } from './controls/controls.js';
import { registerControlApi } from './controls/control-api.js';
import { dueAt, tick } from './due.js';
import { registerApi, type LoggedRequest } from './http/api.js';
import { registerPages } from './pages/register-pages.js';
import { accountEndpoints } from './resources/account.js';
import { accountV2Endpoints } from './resources/account-v2.js';
import { checkoutEndpoints } from './resources/checkout-session.js';
import { customerEndpoints } from './resources/customer.js';
import { disputeEndpoints } from './resources/dispute.js';
import { eventEndpoints } from './resources/event.js';
import { invoiceEndpoints } from './resources/invoice-endpoints.js';
import type { Kinds } from './kinds.js';
import { paymentMethodEndpoints } from './resources/payment-method.js';
import { paymentEndpoints } from './resources/payment.js';
import { portalConfigurationEndpoints } from './resources/portal-configuration.js';
import { portalEndpoints } from './resources/portal-session.js';
import { priceEndpoints } from './resources/price.js';
import { refundEndpoints } from './resources/refund.js';
import { subscriptionEndpoints } from './resources/subscription.js';
import { transferEndpoints } from './resources/transfer.js';
import { Store } from './store/store.js';
import { Sender } from './webhooks/sender.js';

export interface SimulatorOptions {
  /** 0: a free one. */
  port: number;
  /** The address to listen on; only this machine's own unless given. */
  host?: string;
  /** Keeps all objects from one start to the next; without it they are gone with the process. */
  dataFile?: string;
  /** Where events are sent. */
  webhookUrl: string;
  /** The key that requests must have, `sk_test_…`. */
  secretKey: string;
  /** Sign the events of the platform; with two, each event has both signatures, as while a secret is rotated. */
  webhookSecret: string | readonly string[];
  /** Sign the events of connected accounts. */
  connectWebhookSecret: string | readonly string[];
  /** Where browsers reach the pages; the simulator's own address unless given. */
  publicUrl?: string;
  /** The machine's time in ms. */
  clock?: () => number;
}

export interface StripeSimulator {
  /** Of the API and the pages, without a slash at the end. */
  url: string;
  controls: Controls;
  close(): Promise<void>;
}

const ENDPOINTS = [
  ...accountEndpoints,
  ...accountV2Endpoints,
  ...checkoutEndpoints,
  ...customerEndpoints,
  ...disputeEndpoints,
  ...eventEndpoints,
  ...invoiceEndpoints,
  ...paymentEndpoints,
  ...paymentMethodEndpoints,
  ...portalConfigurationEndpoints,
  ...portalEndpoints,
  ...priceEndpoints,
  ...refundEndpoints,
  ...subscriptionEndpoints,
  ...transferEndpoints,
];
const LOG_LENGTH = 50;
const TICK_MS = 1_000;

const listOf = (secrets: string | readonly string[]) => (typeof secrets === 'string' ? [secrets] : secrets);

/** Starts a Stripe that takes no money: its API, its pages, its webhooks, and controls for what goes wrong. */
export async function startStripeSimulator(options: SimulatorOptions): Promise<StripeSimulator> {
  const { port, host = '127.0.0.1', dataFile, webhookUrl, secretKey, clock = Date.now } = options;
  const store = new Store<Kinds>(dueAt, dataFile);
  let publicUrl = options.publicUrl?.replace(/\/$/, '') ?? '';
  const world: World = {
    store,
    machineMs: clock,
    get publicUrl() {
      return publicUrl;
    },
  };
  const sender = new Sender(world, {
    webhookUrl,
    secrets: listOf(options.webhookSecret),
    connectSecrets: listOf(options.connectWebhookSecret),
  });
  const controls = new Controls(world, () => sender.nudge());
  const log: LoggedRequest[] = [];
  const stop = new AbortController();
  const app = newApp();
  registerApi(app, ENDPOINTS, {
    world,
    secretKey,
    stopped: stop.signal,
    done(request) {
      log.unshift(request);
      log.length = Math.min(log.length, LOG_LENGTH);
      sender.nudge();
    },
  });
  await app.register(
    (inner, _, done) => {
      registerControlApi(inner, controls);
      done();
    },
    { prefix: '/_control/api' },
  );
  registerPages(app, { world, controls, log });
  const url = await app.listen({ port, host });
  publicUrl ||= url;
  const timer = setInterval(() => {
    tick(world);
    sender.nudge();
  }, TICK_MS);
  sender.start();
  return {
    url,
    controls,
    async close() {
      clearInterval(timer);
      stop.abort();
      await app.close();
      await sender.close();
      store.close();
    },
  };
}

function newApp(): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, body),
  );
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      error: {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
      },
    }),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) process.stderr.write(`${request.method} ${request.url}: ${error.stack}\n`);
    const message = status >= 500 ? error.message : (STATUS_CODES[status] ?? error.message);
    return reply.code(status).send({ error: { type: 'api_error', message } });
  });
  return app;
}
