import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, ApiClient } from './api-client.js';

/**
 * A client of several gateways that uses the next one for every request. When a gateway or a service behind it fails,
 * it retries once after the time in `Retry-After`: reads unchanged, writes under the same Idempotency-Key.
 */
export class RetryingClient {
  private turn = 0;
  retries = 0;

  /** @param clients of the same user, one per gateway @param pauseMs before it retries where there was no answer */
  constructor(
    private readonly clients: readonly ApiClient[],
    private readonly pauseMs = 0,
  ) {}

  /** Throws when the retry fails, too; the caller checks all other responses. */
  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    own: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const headers = method === 'POST' ? { 'idempotency-key': randomUUID(), ...own } : own;
    const attempt = () => this.next().call<T>(method, path, body, headers);
    const first = await attempt().catch((error: unknown) => error as Error);
    const answered = 'status' in first;
    if (answered && first.status < 500) return first;
    this.retries += 1;
    await delay(answered ? Number(first.headers.get('retry-after') ?? 0) * 1_000 : this.pauseMs);
    const second = await attempt();
    if (second.status >= 500) throw new Error(`${method} ${path}: ${second.status} after ${reasonOf(first)}`);
    return second;
  }

  private next(): ApiClient {
    this.turn += 1;
    return this.clients[this.turn % this.clients.length]!;
  }
}

const reasonOf = (first: Error | Answer<unknown>) =>
  'status' in first ? `${first.status}` : `${first.name}: ${String(first.cause ?? first.message)}`;
