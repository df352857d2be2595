import { EventEmitter, once } from 'node:events';
import { createLogger } from '@pulso/platform/logging/logger';
import { connectRedis } from '@pulso/platform/redis/redis';
import { systemClock } from '@pulso/platform/time/clock';
import { EndedSessions } from '../src/auth/ended-sessions.js';
import { type EndedSessionsSignals, RedisEndedSessionsSignals } from '../src/auth/ended-sessions-signals.js';
import type { IdentityClient } from '../src/clients.js';
import { SESSION_ID } from './support/fake-clients.js';
import { InMemorySignals } from './support/in-memory-signals.js';

const logger = createLogger({ service: 'signals-test', level: 'silent' });
const redisUrl = process.env.PULSO_TEST_REDIS_URL;

const transports: Record<string, () => Promise<{ ends: EndedSessionsSignals[]; close(): void }>> = {
  'in memory': async () => {
    const connection = new EventEmitter();
    return {
      ends: [new InMemorySignals(connection), new InMemorySignals(connection)],
      close: () => undefined,
    };
  },
};
if (redisUrl) {
  transports['over Redis'] = async () => {
    const clients = [await connectRedis(redisUrl, logger), await connectRedis(redisUrl, logger)];
    const ends = clients.map((client) => new RedisEndedSessionsSignals(client));
    return {
      ends,
      close() {
        for (const end of ends) end.close();
        for (const client of clients) client.disconnect();
      },
    };
  };
}

describe.each(Object.entries(transports))('signals of ended sessions %s', (_name, open) => {
  let first: EndedSessionsSignals;
  let second: EndedSessionsSignals;
  let close: () => void;

  beforeAll(async () => {
    const opened = await open();
    [first, second] = opened.ends as [EndedSessionsSignals, EndedSessionsSignals];
    close = opened.close;
  });
  afterAll(() => close());

  it('reach every gateway', async () => {
    const heard = new EventEmitter();
    await first.listen(() => heard.emit('first'));
    await second.listen(() => heard.emit('second'));
    const all = Promise.all([once(heard, 'first'), once(heard, 'second')]);
    await first.send();
    await all;
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
