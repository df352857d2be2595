import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Stripe from 'stripe';
import { ChildProgram } from './child-program.js';

const program = join(
  dirname(fileURLToPath(import.meta.url)),
  '../../../../deploy/stripe-simulator/src/main.ts',
);

const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_simulator',
  STRIPE_WEBHOOK_SECRETS: 'whsec_platform',
  STRIPE_CONNECT_WEBHOOK_SECRETS: 'whsec_connect',
};

/** The Stripe simulator as a process of its own: it keeps its address and what it has over kills. */
export class SimulatorProcess {
  private readonly folder = mkdtempSync(join(tmpdir(), 'pulso-simulator-'));
  private program: ChildProgram | undefined;
  private port = '0';

  /** `webhookUrl` is where its events go. */
  constructor(private readonly webhookUrl: string) {}

  async start(): Promise<void> {
    this.program = ChildProgram.start(program, {
      ...KEYS,
      SIMULATOR_PORT: this.port,
      SIMULATOR_WEBHOOK_URL: this.webhookUrl,
      SIMULATOR_DATA_FILE: join(this.folder, 'data.jsonl'),
    });
    this.port = await this.program.says(/ on http:\S+:(\d+),/);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Settings of a billing that uses it. */
  get settings(): Record<string, string> {
    return { ...KEYS, PAYMENTS: 'simulator', STRIPE_API_URL: this.url };
  }

  /** A client like billing's. */
  get stripe(): Stripe {
    return new Stripe(KEYS.STRIPE_SECRET_KEY, {
      ...{ host: '127.0.0.1', port: this.port, protocol: 'http' as const },
      ...{ telemetry: false, maxNetworkRetries: 0 },
    });
  }

  /** Does what the page of controls can do. */
  async control<T>(path: string, body: object = {}): Promise<T> {
    const answer = await fetch(`${this.url}/_control/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the control ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Sends all events that wait, whatever was to happen to them. Returns how many have not arrived yet. */
  async sendAll(): Promise<number> {
    return (await this.control<{ undelivered: number }>('clear')).undelivered;
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    await this.program?.kill();
  }

  /** Kills it and removes what it has. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }
}
