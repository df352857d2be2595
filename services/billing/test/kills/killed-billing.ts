import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrateBus } from '@pulso/platform/events/in-process/bus-schema';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { aPostgresDatabase, type TestDatabase } from '@pulso/platform/testing/databases';
import { TestKeys } from '@pulso/platform/testing/test-keys';
import { until } from '@pulso/platform/testing/until';
import type { Pool } from 'pg';
import { billing as definition } from '../../src/service.js';
import { ChildProgram } from '../support/child-program.js';
import { SimulatorProcess } from '../support/simulator-process.js';
import { startWebhook, type Webhook } from '../support/webhook.js';
import type { Place } from './places.js';

const program = join(dirname(fileURLToPath(import.meta.url)), 'billing-process.ts');
const LIMIT_MS = 100_000;
/** Errors of a moment: whoever presses again is served. */
const PASSING = new Set(['unavailable', 'outcome-unknown']);

class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

class Gone extends Error {
  constructor() {
    super('billing was killed before it had answered');
  }
}

/**
 * A process of billing and one of the Stripe simulator. Billing kills itself where it is told to, and is started again by the next
 * who needs it.
 */
export class KilledBilling {
  readonly simulator: SimulatorProcess;
  /** The places at which it was killed, in order. */
  readonly killedAt: string[] = [];
  /** Called after each kill, before the next start. */
  whenKilled: () => Promise<void> = async () => undefined;
  private program: ChildProgram | undefined;
  private port = '';

  private constructor(
    private readonly database: TestDatabase & { pool: Pool },
    private readonly env: Readonly<Record<string, string>>,
    private readonly webhook: Webhook,
  ) {
    this.simulator = new SimulatorProcess(webhook.url);
  }

  static async start(): Promise<KilledBilling> {
    const database = await aPostgresDatabase('billing');
    const env = { BILLING_DATABASE_URL: database.url, ...(await TestKeys.generate()).env };
    await definition.store.migrate(readServiceSettings(definition, env).store, { finish: true });
    await migrateBus(database.pool);
    const webhook = await startWebhook((body, signature) => killed.takeEvent(body, signature));
    const killed: KilledBilling = new KilledBilling(database, env, webhook);
    await killed.simulator.start();
    await killed.run();
    return killed;
  }

  private async run(): Promise<void> {
    this.program = ChildProgram.start(program, { ...this.env, ...this.simulator.settings });
    this.port = await this.program.says(/listens on (\d+)\./);
  }

  rows<T>(query: string, parameters: unknown[] = []): Promise<T[]> {
    return this.database.pool.query(query, parameters).then(({ rows }) => rows as T[]);
  }

  /** Lets billing kill itself when it is at this place for the `left`th time. */
  arm(place: Place, left: number): Promise<unknown> {
    return this.act('arm', { place, left });
  }

  /** Starts billing again where it was killed. Returns whether it was. */
  async revive(): Promise<boolean> {
    if (!this.program!.isGone) return false;
    await this.program!.gone();
    const place = /killed: (.*)\n/.exec(this.program!.said)?.[1];
    if (!place) throw new Error(`billing ended by itself: ${this.program!.said}`);
    this.killedAt.push(place);
    await this.whenKilled();
    // What had reached the database before the kill is finished there.
    const running = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;
    await until(async () => (await this.rows(running)).length === 0, {
      ...{ what: 'no transaction of the killed process', limit: LIMIT_MS },
    });
    // The time passes after which others take what the dead process has begun.
    await this.rows("UPDATE foreign_calls SET due_at = now() WHERE state = 'pending'");
    await this.rows("UPDATE provider_events SET due_at = '2000-01-01' WHERE handled_at IS NULL");
    await this.run();
    return true;
  }

  /** Asks billing; one that was killed is started and asked again, as a user presses again and an operator types again. */
  async act<T>(what: string, body: object = {}): Promise<T> {
    const started = performance.now();
    for (;;) {
      try {
        return await this.once<T>(what, body);
      } catch (error) {
        const isKilled = error instanceof Gone;
        const isPassing = error instanceof Refused && PASSING.has(error.code);
        if (!(isKilled || isPassing) || performance.now() - started > LIMIT_MS) throw error;
        await this.revive();
      }
    }
  }

  /** Asks once. Returns undefined where billing was killed meanwhile; it runs again then. */
  async tryOnce<T>(what: string, body: object): Promise<T | undefined> {
    try {
      return await this.once<T>(what, body);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      await this.revive();
      return undefined;
    }
  }

  /** Resolves when the fact holds, whatever is killed meanwhile. */
  async until<T>(fact: () => Promise<T>, what: string): Promise<void> {
    await until(
      async () => {
        await this.revive();
        return fact();
      },
      { what: () => `${what}; killed at ${this.killedAt.join(', ')}`, limit: LIMIT_MS },
    );
  }

  /** Works off all events, endings and calls, also those that wait to be tried again. */
  atRest(): Promise<void> {
    return this.until(async () => {
      const underWay = await this.simulator.sendAll();
      await this.rows("UPDATE foreign_calls SET due_at = now() WHERE state = 'pending' AND NOT running");
      await this.rows("UPDATE provider_events SET due_at = '2000-01-01' WHERE failure IS NOT NULL");
      await this.act('settle');
      const [open] = await this.rows<{ count: number }>(
        `SELECT (SELECT count(*)::int FROM foreign_calls WHERE state = 'pending')
           + (SELECT count(*)::int FROM provider_events WHERE handled_at IS NULL)
           + (SELECT count(*)::int FROM endings) AS count`,
      );
      return underWay === 0 && open!.count === 0;
    }, 'no event, no ending and no call that waits');
  }

  async stop(): Promise<void> {
    await this.program?.kill();
    await this.simulator.stop();
    await this.webhook.stop();
    await this.database.drop();
  }

  private async once<T>(what: string, body: object): Promise<T> {
    const answer = await this.post(what, { 'content-type': 'application/json' }, JSON.stringify(body));
    const json = (await answer.json().catch(() => {
      throw new Gone();
    })) as T & { code: string; message: string };
    if (!answer.ok) throw new Refused(json.code, json.message);
    return json;
  }

  private async takeEvent(body: Buffer, signature: string): Promise<void> {
    const { status } = await this.post('event', { 'stripe-signature': signature }, new Uint8Array(body));
    if (status !== 200) throw new Error(`billing answered the event with ${status}`);
  }

  private async post(
    path: string,
    headers: Record<string, string>,
    body: string | Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    try {
      return await fetch(`http://127.0.0.1:${this.port}/${path}`, {
        ...{ method: 'POST', headers, body, signal: AbortSignal.timeout(LIMIT_MS) },
      });
    } catch (error) {
      // Its end is told a moment after its connections break.
      await Promise.race([this.program!.gone(), new Promise((later) => setTimeout(later, 1_000))]);
      if (!this.program!.isGone) throw error;
      throw new Gone();
    }
  }
}
