import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@pulso/platform/testing/until';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import Stripe from 'stripe';

export const WEBHOOK_SECRET = 'whsec_platform';
export const CONNECT_SECRET = 'whsec_connect';

const stripe = new Stripe('sk_test_receiver');

/** What takes the simulator's webhooks: it checks each signature as billing does, by Stripe's own package. */
export class Receiver {
  readonly events: Stripe.Event[] = [];
  /** The thin ones. */
  readonly notifications: Stripe.V2.Core.EventNotification[] = [];
  /** The signatures as they came. */
  readonly signatures: string[] = [];
  /** Statuses for the next events, in place of 200. */
  readonly refusals: number[] = [];
  url = '';

  async start(): Promise<this> {
    const server = createServer((request, answer) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const refusal = this.refusals.shift();
        if (refusal !== undefined) return answer.writeHead(refusal).end();
        const signature = String(request.headers['stripe-signature']);
        const body = Buffer.concat(parts);
        const { account, object } = JSON.parse(body.toString()) as { account?: string; object: string };
        if (object === 'v2.core.event')
          this.notifications.push(stripe.parseEventNotification(body, signature, CONNECT_SECRET));
        else {
          const secret = account === undefined ? WEBHOOK_SECRET : CONNECT_SECRET;
          this.events.push(Stripe.webhooks.constructEvent(body, signature, secret));
        }
        this.signatures.push(signature);
        return answer.writeHead(200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestEnd(() => {
      server.close();
      server.closeAllConnections();
    });
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
    return this;
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  /** Waits for a thin event of this type. */
  noticed(type: string): Promise<Stripe.V2.Core.EventNotification> {
    return until(() => this.notifications.find((event) => event.type === type), {
      what: () => `${type}; there were ${this.notifications.map((one) => one.type).join(', ')}`,
    });
  }

  /** Waits for an event of this type. */
  seen(type: string): Promise<Stripe.Event> {
    return until(() => this.events.find((event) => event.type === type), {
      what: () => `${type}; there were ${this.types.join(', ')}`,
    });
  }
}
