import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * How it answers the next call. `declined`, `failed` and `charged, then failed` are saved under the key and answered again;
 * `charged, then silent` breaks the connection after the effect, `silent` before it; `held` waits for `release`.
 */
export type Behaviour =
  | 'declined'
  | 'busy'
  | 'failed'
  | 'charged, then failed'
  | 'charged, then silent'
  | 'silent'
  | 'held';

export interface Effect {
  path: string;
  order: string;
  key: string;
}

interface Saved {
  path: string;
  body: string;
  status: number;
  answer: object;
}

/** A fake foreign system: it acts once for a key, saves also its own errors under the key, and compares what it gets with it. */
export class ForeignSystem {
  readonly effects: Effect[] = [];
  /** Of all calls, with their keys, in their order. */
  readonly bodies: string[] = [];
  readonly keys: string[] = [];
  readonly next: Behaviour[] = [];
  /** Whether it cannot tell what it has made. */
  blind = false;
  private readonly saved = new Map<string, Saved>();
  private readonly inUse = new Set<string>();
  private readonly held: ((as: 'ok' | 'declined') => void)[] = [];
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  async listen(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get calls(): number {
    return this.bodies.length;
  }

  release(as: 'ok' | 'declined' = 'ok'): void {
    for (const answer of this.held.splice(0)) answer(as);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, answer: object) => response.writeHead(status).end(JSON.stringify(answer));
    const { pathname: path, searchParams } = new URL(request.url!, this.url);
    if (request.method === 'GET') {
      if (this.blind) return void send(503, {});
      const index = this.effects.findIndex(
        (made) => made.path === path && made.order === searchParams.get('order'),
      );
      return void (index < 0 ? send(404, {}) : send(200, { id: `made-${index + 1}` }));
    }
    const body = await text(request);
    const key = request.headers['idempotency-key'] as string;
    this.bodies.push(body);
    this.keys.push(key);
    const known = this.saved.get(key);
    if (known) {
      const isSame = known.path === path && known.body === body;
      return void (isSame ? send(known.status, known.answer) : send(400, { error: 'idempotency_error' }));
    }
    const behaviour = this.next.shift();
    if (behaviour === 'busy') return void send(429, {});
    if (behaviour === 'silent') return void request.socket.destroy();
    if (this.inUse.has(key)) return void (behaviour === 'declined' ? send(402, {}) : send(409, {}));
    this.inUse.add(key);
    const as =
      behaviour === 'held' ? await new Promise<string>((resolve) => this.held.push(resolve)) : behaviour;
    this.inUse.delete(key);
    const [status, answer] = this.act(as ?? 'ok', { path, order: (JSON.parse(body) as Effect).order, key });
    this.saved.set(key, { path, body, status, answer });
    if (as === 'charged, then silent') request.socket.destroy();
    else send(status, answer);
  }

  private act(as: string, effect: Effect): [status: number, answer: object] {
    if (as === 'declined') return [402, {}];
    if (as === 'failed') return [500, {}];
    this.effects.push(effect);
    return as === 'charged, then failed' ? [500, {}] : [200, { id: `made-${this.effects.length}` }];
  }
}
