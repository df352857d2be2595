import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { createLogger } from '@pulso/platform/logging/logger';
import { connectRedis } from '@pulso/platform/redis/redis';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { systemClock } from '@pulso/platform/time/clock';
import { EndedSessions } from '../src/auth/ended-sessions.js';
import { type EndedSessionsSignals, RedisEndedSessionsSignals } from '../src/auth/ended-sessions-signals.js';
import type { IdentityClient } from '../src/clients.js';
import { SESSION_ID } from './support/fake-clients.js';
import { InMemorySignals } from './support/in-memory-signals.js';

const logger = createLogger({ service: 'signals-test', level: 'silent' });
const redisUrl = process.env.PULSO_TEST_REDIS_URL;

/** A Redis that is slow beside other suites is not away. */
const PATIENT_MS = 60_000;

/** What the transports have opened, also when opening them all has failed. */
const opened: { close(): void }[] = [];
afterAll(() => opened.forEach((each) => each.close()));

const transports: Record<string, () => Promise<EndedSessionsSignals[]>> = {
  'in memory': async () => {
    const connection = new EventEmitter();
    return [new InMemorySignals(connection), new InMemorySignals(connection)];
  },
};
if (redisUrl) {
  transports['over Redis'] = async () => {
    // Gateways of other suites use the same Redis.
    const channel = `test:ended-sessions:${randomUUID()}`;
    const end = async () => {
      const client = await connectRedis(redisUrl, logger, PATIENT_MS);
      const signals = new RedisEndedSessionsSignals(client, channel);
      opened.push(signals, { close: () => client.disconnect() });
      return signals;
    };
    return [await end(), await end()];
  };
}

describe.each(Object.entries(transports))('signals of ended sessions %s', (_name, open) => {
  let first: EndedSessionsSignals;
  let second: EndedSessionsSignals;

  beforeAll(async () => {
    [first, second] = (await open()) as [EndedSessionsSignals, EndedSessionsSignals];
  });

  it('reach every gateway', async () => {
    const heard = new Set<string>();
    await first.listen(() => heard.add('first'));
    await second.listen(() => heard.add('second'));
    // Over Redis, listening itself is heard, too: signals may have been missed before.
    heard.clear();
    await first.send();
    await until(() => heard.size === 2, { what: 'the signal at both gateways' });
  });
});

describe('a gateway that hears of an ended session', () => {
  const endedSessions = (signals: EndedSessionsSignals, ended: { id: string; endedAt: number }[]) => {
    const identity = { listEndedSessions: async () => ({ sessions: ended }) };
    return new EndedSessions(identity as unknown as IdentityClient, systemClock, logger, signals);
  };

  it('reads identity’s list at once', async () => {
    const connection = new EventEmitter();
    const list: { id: string; endedAt: number }[] = [];
    const here = endedSessions(new InMemorySignals(connection), list);
    const elsewhere = endedSessions(new InMemorySignals(connection), list);
    // The poll's timer is off now, so only the signal can have told the gateway.
    elsewhere.start();
    await elsewhere.stop();
    list.push({ id: SESSION_ID, endedAt: Date.now() });
    expect(elsewhere.has(SESSION_ID)).toBe(false);
    await here.refresh();
    // Whatever the signal has set off.
    await elsewhere.stop();
    expect([here.has(SESSION_ID), elsewhere.has(SESSION_ID)]).toEqual([true, true]);
  });

  // Rule: ACCT-21
  it('reads the list within 5 s without a signal', async () => {
    jest.useFakeTimers();
    onTestEnd(() => jest.useRealTimers());
    const list: { id: string; endedAt: number }[] = [];
    const gateway = endedSessions(new InMemorySignals(), list);
    onTestEnd(() => gateway.stop());
    gateway.start();
    await jest.advanceTimersByTimeAsync(0);
    list.push({ id: SESSION_ID, endedAt: Date.now() });
    expect(gateway.has(SESSION_ID)).toBe(false);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(gateway.has(SESSION_ID)).toBe(true);
  });

  it('goes on without signals while they cannot be sent', async () => {
    const away: EndedSessionsSignals = {
      send: () => Promise.reject(new Error('away')),
      listen: () => Promise.reject(new Error('away')),
    };
    const gateway = endedSessions(away, [{ id: SESSION_ID, endedAt: Date.now() }]);
    gateway.start();
    await gateway.refresh();
    await gateway.stop();
    expect(gateway.has(SESSION_ID)).toBe(true);
  });
});
