import type { World } from '../books.js';
import type { Delivery } from './delivery.js';
import { signatureOf } from './signature.js';

const ANSWER_LIMIT_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** Stripe tries for three days. */
const ATTEMPTS = 900;
const IDLE_MS = 250;

export interface SenderOptions {
  webhookUrl: string;
  secrets: readonly string[];
  connectSecrets: readonly string[];
}

/** Sends the events that are due, one after the other, until each was answered with 2xx. */
export class Sender {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  readonly #stop = new AbortController();

  constructor(
    readonly world: World,
    readonly options: SenderOptions,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.nudge(), IDLE_MS);
    this.nudge();
  }

  nudge(): void {
    if (this.#stop.signal.aborted) return;
    this.#running ??= this.#sendDue().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#running;
  }

  async #sendDue(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const now = this.world.machineMs();
      const next = firstOf(this.world.store.all('_delivery').filter(({ dueAt }) => dueAt <= now));
      if (!next) return;
      await this.#send(next);
    }
  }

  async #send(delivery: Delivery): Promise<void> {
    const { store, machineMs } = this.world;
    const found = store.find('event', delivery.event);
    if (!found) {
      store.remove('_delivery', delivery.id);
      store.commit();
      return;
    }
    const body = JSON.stringify(found.value._thin ?? found.value, null, 2);
    const secrets = found.value.account ? this.options.connectSecrets : this.options.secrets;
    const signature = signatureOf(body, secrets, Math.floor(machineMs() / 1000));
    const failure = await post(this.options.webhookUrl, body, signature, this.#stop.signal);
    // What an end of the simulator has cut off is sent again at the next start.
    if (this.#stop.signal.aborted && failure !== null) return;
    const attempts = delivery.attempts + 1;
    if (failure === null || attempts >= ATTEMPTS) {
      store.remove('_delivery', delivery.id);
      const { account, value } = found;
      if (failure === null) store.put('event', account, { ...value, pending_webhooks: 0 });
    } else {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(delivery.attempts, 12), LONGEST_PAUSE_MS);
      store.put('_delivery', found.account, { ...delivery, attempts, failure, dueAt: machineMs() + pause });
    }
    store.commit();
  }
}

function firstOf(deliveries: readonly Delivery[]): Delivery | undefined {
  let first = deliveries[0];
  for (const one of deliveries) if (first && one.order < first.order) first = one;
  return first;
}

/** Sends an event. @returns null when it was taken, otherwise why not */
async function post(
  url: string,
  body: string,
  signature: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature,
        'user-agent': 'Stripe/1.0 (simulator)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    });
    await answer.arrayBuffer();
    return answer.ok ? null : `answered ${answer.status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? `${message}: ${cause.message}` : message;
  }
}
