import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { databaseUrlSetting, readServiceSettings } from '@pulso/platform/service/service-settings';
import { type BootedService, bootService } from '@pulso/platform/service/start-service';
import { aPostgresDatabase } from '@pulso/platform/testing/databases';
import type { ManualClock } from '@pulso/platform/testing/manual-clock';
import { refuseUnpublishedRows } from '@pulso/platform/testing/published-rows';
import { TestKeys } from '@pulso/platform/testing/test-keys';
import type { PostgresStore } from '@pulso/platform/postgres/postgres-store';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { billing as definition } from '../../src/service.js';
import { withProvider } from '../support/with-provider.js';
import type { MoodyProvider } from './moody-provider.js';

/** Thrown where the process was killed: nothing that it still does has an effect. */
export class Killed extends Error {
  constructor(at: string) {
    super(`killed ${at}`);
  }
}

type Query = (...asked: unknown[]) => Promise<unknown>;

/**
 * Billing on a database of its own, which can be killed at any moment and built anew. It never listens: no loop and no relay of it
 * runs, so that the year alone decides what is worked off, and when.
 */
export class Machine {
  private booted!: BootedService;
  /** The moments that are left until it is killed; undefined where it is not to be. */
  private left: number | undefined;
  private killedAt: string | undefined;
  kills = 0;

  private constructor(
    private readonly pool: Pool,
    private readonly drop: () => Promise<void>,
    private readonly env: Readonly<Record<string, string>>,
    private readonly provider: MoodyProvider,
    private readonly clock: ManualClock,
  ) {
    provider.atMoment = (moment) => this.moment(moment);
  }

  static async start(provider: MoodyProvider, clock: ManualClock): Promise<Machine> {
    const { url, pool, drop } = await aPostgresDatabase('billing');
    const env = { [databaseUrlSetting(definition.name)]: url, ...(await TestKeys.generate()).env };
    const machine = new Machine(pool, drop, env, provider, clock);
    try {
      const store = definition.store as PostgresStore;
      const target = readServiceSettings(definition, env).store;
      await store.migrate(target, { finish: true });
      await refuseUnpublishedRows(store, target);
      await machine.boot();
    } catch (error) {
      await drop();
      throw error;
    }
    return machine;
  }

  get get(): BootedService['get'] {
    return this.booted.get;
  }

  async rows<T>(query: string, values: unknown[] = []): Promise<T[]> {
    return (await this.pool.query(query, values)).rows as T[];
  }

  /** Runs `work`, and kills the process `after` so many moments of it. Returns undefined where it was killed. */
  async killing<T>(after: number, work: () => Promise<T>): Promise<{ result: T } | undefined> {
    this.left = after;
    const restore = this.watch();
    try {
      const result = await work();
      if (this.killedAt === undefined) return { result };
    } catch (error) {
      if (this.killedAt === undefined) throw error;
    } finally {
      this.left = undefined;
      if (this.killedAt === undefined) restore();
    }
    this.kills += 1;
    // Its connections end with it, still without any effect.
    await this.booted.close();
    this.killedAt = undefined;
    await this.boot();
    return undefined;
  }

  async stop(): Promise<void> {
    await this.booted.close();
    await this.drop();
  }

  private async boot(): Promise<void> {
    this.booted = await bootService(withProvider(definition, this.provider), {
      settings: readServiceSettings(definition, this.env),
      transport: { kind: 'in-process', network: new InProcessNetwork() },
      bus: { subscribe: () => undefined, delivered: async () => true } as never,
      clock: this.clock,
      logger: createLogger({ service: 'billing-year', level: 'fatal' }),
    });
  }

  private moment(what: string): void {
    if (this.killedAt !== undefined) throw new Killed(this.killedAt);
    if (this.left === undefined) return;
    this.left -= 1;
    if (this.left >= 0) return;
    this.killedAt = what;
    throw new Killed(what);
  }

  /** Moments are before and after each transaction, and each statement outside of one. Returns what ends it. */
  private watch(): () => void {
    const dataSource = this.booted.get(DataSource);
    const { master } = dataSource.driver as unknown as { master: { query: Query } };
    const [open, ask] = [dataSource.createQueryRunner, master.query];
    const around = async (text: string, run: () => Promise<unknown>) => {
      this.moment(`before ${text}`);
      const result = await run();
      this.moment(`after ${text}`);
      return result;
    };
    master.query = (...asked) => around(textOf(asked), () => ask.apply(master, asked));
    dataSource.createQueryRunner = (mode) => {
      const runner = open.call(dataSource, mode);
      const connect = runner.connect.bind(runner);
      runner.connect = async () => {
        const connection = (await connect()) as PoolClient;
        const query = connection.query.bind(connection) as Query;
        const watched: Query = async (...asked) => {
          // A killed process does not roll back: its connection ends, with the same effect.
          if (asked[0] === 'ROLLBACK') return query(...asked);
          if (asked[0] === 'COMMIT') return around('COMMIT', () => query(...asked));
          if (this.killedAt !== undefined) throw new Killed(this.killedAt);
          return query(...asked);
        };
        return new Proxy(connection, {
          get: (target, name) => (name === 'query' ? watched : Reflect.get(target, name)),
        });
      };
      return runner;
    };
    return () => {
      master.query = ask;
      dataSource.createQueryRunner = open;
    };
  }
}

function textOf([asked]: unknown[]): string {
  const { name, text } = (typeof asked === 'string' ? { text: asked } : asked) as {
    name?: string;
    text: string;
  };
  return name ?? text.trim().slice(0, 40);
}
