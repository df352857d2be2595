import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { type BootedService, bootService } from '@pulso/platform/service/start-service';
import { inContext } from '@pulso/platform/testing/context';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { billing as definition } from '../src/service.js';
import { CancelSubscription } from '../src/subscription/cancel-subscription.js';
import { EndSubscriptions } from '../src/subscription/end-subscriptions.job.js';
import { Subscribe } from '../src/subscription/subscribe.js';
import { Billing, type Person } from './start.js';

/** No act has as many statements: a loop that reaches it does not end by itself. */
const MOST_STEPS = 100;
const MOMENTS = ['before', 'after'] as const;

/** A replica whose acts end at a chosen statement, as a kill would end them; another instance goes on. */
describe('a kill at each statement', () => {
  let billing: Billing;
  let replica: BootedService;
  let ana: Person;
  let coach: Person;
  beforeAll(async () => {
    billing = await Billing.start();
    // Else it would now and then take an ending before the replica that is to be killed at it.
    await billing.service.get(EndSubscriptions).onModuleDestroy();
    replica = await bootService(definition, {
      settings: readServiceSettings(definition, billing.service.env),
      transport: { kind: 'in-process', network: new InProcessNetwork() },
      bus: { ...billing.service.bus, subscribe: () => undefined, publish: async () => undefined } as never,
      clock: billing.clock,
      logger: createLogger({ service: 'billing-test', level: 'fatal' }),
    });
  });
  beforeEach(async () => {
    [ana, coach] = [await billing.person(), await billing.coach()];
  });
  afterAll(async () => {
    await replica?.close();
    await billing?.stop();
  });

  /** Ends the work of the replica before or after its statement number `step`. Returns whether there was one. */
  async function killedAt(step: number, moment: (typeof MOMENTS)[number], work: () => Promise<unknown>) {
    const dataSource = replica.get(DataSource);
    const open = dataSource.createQueryRunner.bind(dataSource);
    let statements = 0;
    const orKilled = async <T>(run: () => Promise<T>): Promise<T> => {
      const isLast = statements === step;
      statements += 1;
      if (isLast && moment === 'before') throw new Error('killed');
      const result = await run();
      if (isLast) throw new Error('killed');
      return result;
    };
    dataSource.createQueryRunner = (mode) => {
      const runner = open(mode);
      const connect = runner.connect.bind(runner);
      // All statements of a transaction go through its connection, named ones too.
      runner.connect = async () => {
        const connection = (await connect()) as PoolClient;
        const query = connection.query.bind(connection) as (...asked: unknown[]) => Promise<unknown>;
        // A killed process does not roll back: its connection ends, with the same effect.
        const killing = (...asked: unknown[]) =>
          asked[0] === 'ROLLBACK' ? query(...asked) : orKilled(() => query(...asked));
        return new Proxy(connection, {
          get: (target, name) => (name === 'query' ? killing : Reflect.get(target, name)),
        });
      };
      return runner;
    };
    try {
      await work();
      return false;
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error;
      return true;
    } finally {
      dataSource.createQueryRunner = open;
    }
  }
  const asAna = <T>(work: () => T) =>
    inContext({ userId: ana.id, sessionId: 's', expiresAt: Infinity }, work);
  const subscribe = () =>
    asAna(() => replica.get(Subscribe).execute({ coachId: coach.id, idempotency: undefined }));
  const cancel = () => asAna(() => replica.get(CancelSubscription).execute({ coachId: coach.id }));

  /** What the instance that goes on sees, tells others and counts: all the same. */
  async function access(): Promise<boolean> {
    await billing.service.drainEvents();
    const [count, subscribed] = await billing.standing(ana, coach);
    expect(count).toBe(Number(subscribed));
    expect(billing.published(ana, coach)?.active ?? false).toBe(subscribed);
    return subscribed;
  }

  /** Kills the work at every statement; `check` gets whether it was committed. Returns how often it was killed. */
  async function atEveryStep(
    work: () => Promise<unknown>,
    around: { before(): Promise<void>; check(): Promise<void> },
  ): Promise<number> {
    let kills = 0;
    for (const moment of MOMENTS) {
      for (let step = 0; ; step += 1) {
        expect(step).toBeLessThan(MOST_STEPS);
        await around.before();
        const wasKilled = await killedAt(step, moment, work);
        await around.check();
        if (!wasKilled) break;
        kills += 1;
      }
    }
    return kills;
  }

  // Rule: SUBS-8, SUBS-10
  it('of a subscribe leaves none or a whole one, and the next press has it', async () => {
    const seen: boolean[] = [];
    const kills = await atEveryStep(subscribe, {
      before: async () => void ([ana, coach] = [await billing.person(), await billing.coach()]),
      async check() {
        seen.push(await access());
        const { subscription } = await billing.subscribe(ana, coach);
        expect(subscription!.givesAccess).toBe(true);
        expect(await access()).toBe(true);
        expect(await billing.rows('SELECT FROM subscriptions WHERE coach_id = $1', [coach.id])).toHaveLength(
          1,
        );
      },
    });
    expect(kills).toBeGreaterThanOrEqual(10);
    expect(new Set(seen)).toEqual(new Set([true, false]));
  });

  // Rule: SUBS-11
  it('of an unsubscribe leaves the whole one or none, and the next press ends it', async () => {
    const seen: boolean[] = [];
    const kills = await atEveryStep(cancel, {
      before: async () => void (await billing.subscribe(ana, coach)),
      async check() {
        seen.push(await access());
        await billing.cancel(ana, coach);
        expect(await access()).toBe(false);
      },
    });
    expect(kills).toBeGreaterThanOrEqual(10);
    expect(new Set(seen)).toEqual(new Set([true, false]));
  });

  // Rule: SUBS-12
  it('of the ending of subscriptions delays it, and ends none twice', async () => {
    const kills = await atEveryStep(() => replica.get(EndSubscriptions).execute(), {
      async before() {
        await billing.subscribe(ana, coach);
        await billing.rows(
          `INSERT INTO endings (side, user_id, reason, up_to, created_at)
           SELECT 'coach', $1, 'coach-stopped', nextval('subscription_beginnings'), now()`,
          [coach.id],
        );
      },
      async check() {
        await billing.untilEnded();
        expect(await access()).toBe(false);
      },
    });
    expect(kills).toBeGreaterThan(8);
  });
});
