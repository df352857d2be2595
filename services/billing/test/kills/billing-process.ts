import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PriceIntentState, UserState } from '@pulso/contracts/identity/v1/events';
import { BlockState } from '@pulso/contracts/social/v1/events';
import { priceIntentTopic, userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic } from '@pulso/contracts/topics/social';
import { readInput } from '@pulso/platform/command-line/run-commands';
import { eventOf } from '@pulso/platform/events/event-record';
import { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { startService } from '@pulso/platform/service/start-service';
import { inContext } from '@pulso/platform/testing/context';
import { Pool } from 'pg';
import { OpenCheckout } from '../../src/checkout/open-checkout.js';
import { OpenPayoutAccount } from '../../src/payouts/open-payout-account.js';
import { HandleProviderEvents } from '../../src/provider-events/handle-provider-events.js';
import { TakeProviderEvent } from '../../src/provider-events/take-provider-event.js';
import { billing as definition } from '../../src/service.js';
import { CancelSubscription } from '../../src/subscription/cancel-subscription.js';
import { EndSubscriptions } from '../../src/subscription/end-subscriptions.job.js';
import { Subscribe } from '../../src/subscription/subscribe.js';
import { KillPlaces } from './places.js';

/**
 * A process of billing with its database, its bus and a payment provider, as its settings name them. It does what is asked for
 * over HTTP (`ASKED`, and `/event` for the provider's webhook), and kills itself where it is told to.
 */
const logger = createLogger({ service: 'billing-process', level: 'error' });
const bus = new InProcessBus({
  pool: new Pool({ connectionString: process.env['BILLING_DATABASE_URL'] }),
  logger,
});
const service = await startService(definition, {
  settings: readServiceSettings(definition, process.env),
  transport: { kind: 'in-process', network: new InProcessNetwork() },
  bus,
  logger,
});
await bus.start();
const places = new KillPlaces(service);

const PAGE = 'https://pulso.example/profile/carla';
const publish = async (event: ReturnType<typeof eventOf>) => {
  await bus.publish([event]);
  if (!(await bus.delivered([event], 60_000))) throw new Error(`${event.id} was not delivered`);
};

interface Given {
  userId?: string;
  coachId: string;
  state: object;
  place: string;
  left: number;
  words: [string, ...string[]];
}

/** What the suite asks for. */
const ASKED: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  arm: async ({ place, left }) => places.arm(place, left),
  user: ({ state }) => publish(eventOf(userTopic, UserState.fromPartial(state))),
  intent: ({ state }) => publish(eventOf(priceIntentTopic, PriceIntentState.fromPartial(state))),
  block: ({ state }) => publish(eventOf(blockTopic, BlockState.fromPartial(state))),
  account: () => service.get(OpenPayoutAccount).execute({}),
  checkout: ({ coachId }) =>
    service.get(OpenCheckout).execute({ coachId, successUrl: PAGE, cancelUrl: PAGE }),
  subscribe: ({ coachId }) => service.get(Subscribe).execute({ coachId, idempotency: undefined }),
  cancel: ({ coachId }) => service.get(CancelSubscription).execute({ coachId }),
  async command({ words: [name, ...words] }) {
    const command = definition.commands[name]!;
    return command.prepare(readInput(command, words))(service);
  },
  async settle() {
    await service.get(EndSubscriptions).execute();
    await service.get(ForeignCalls).recover();
    await service.get(HandleProviderEvents).execute();
  },
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

const server = createServer((request, response) => {
  const answer = (status: number, json: unknown) =>
    response.writeHead(status).end(JSON.stringify(json ?? null));
  const work = async () => {
    const body = await bodyOf(request);
    const name = request.url!.slice(1);
    if (name === 'event')
      return service
        .get(TakeProviderEvent)
        .execute({ body, signature: String(request.headers['stripe-signature']) });
    const given = JSON.parse(body.toString()) as Given;
    const { userId } = given;
    const run = () => ASKED[name]!(given);
    return userId ? inContext({ userId, sessionId: 's', expiresAt: Infinity }, run) : run();
  };
  work().then(
    (result) => answer(200, result),
    ({ code = 'none', message, stack }: Error & { code?: string }) =>
      answer(500, { code, message: code === 'none' ? stack : message }),
  );
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listens on ${(server.address() as AddressInfo).port}.\n`),
);
