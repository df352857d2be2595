import { jest } from '@jest/globals';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import type { SignalListener, Signals } from '@pulso/platform/signals/signals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { systemClock } from '@pulso/platform/time/clock';
import { EndedSessions } from '../src/auth/ended-sessions.js';
import type { IdentityClient } from '../src/clients.js';
import { SESSION_ID, USER_ID } from './support/fake-clients.js';

const logger = createLogger({ service: 'signals-test', level: 'silent' });
const CALLER = { userId: USER_ID, sessionId: SESSION_ID, issuedAt: Date.now(), expiresAt: Infinity };

let list: { id: string; endedAt: number }[];
let reads: number;

// The poll's timer goes off only when a test says so.
beforeEach(() => {
  list = [];
  reads = 0;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => jest.useRealTimers());

function endedSessions(signals: Signals): EndedSessions {
  const identity = {
    listEndedSessions: async () => {
      reads += 1;
      return { sessions: [...list], more: false };
    },
  } as unknown as IdentityClient;
  const gateway = new EndedSessions({ identity, clock: systemClock, logger, signals });
  onTestEnd(() => gateway.stop());
  return gateway;
}
const end = () => list.push({ id: SESSION_ID, endedAt: Date.now() });

/** Signals that all get lost. */
const away: Signals = { send: () => undefined, listen: () => () => undefined };

// Rule: ACCT-21
describe('a gateway that hears of an ended session', () => {
  it('reads identity’s list at once', async () => {
    const signals = new InProcessSignals();
    const here = endedSessions(signals);
    const elsewhere = endedSessions(signals);
    await elsewhere.start();
    end();
    expect(elsewhere.refuses(CALLER)).toBe(false);
    await here.refresh();
    await until(() => elsewhere.refuses(CALLER), { what: 'the other gateway to refuse the session' });
    expect(here.refuses(CALLER)).toBe(true);
  });

  it('reads it again after signals may have been lost, and for no other signal', async () => {
    const listeners: SignalListener[] = [];
    const gateway = endedSessions({
      send: () => undefined,
      listen: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    });
    await gateway.start();
    const before = reads;
    listeners[0]!.heard(`user:${USER_ID}`);
    // Whatever the signal has set off.
    await gateway.stop();
    expect(reads).toBe(before);
    listeners[0]!.resumed!();
    await gateway.stop();
    expect(reads).toBe(before + 1);
  });
});

// Rule: ACCT-21
describe('a gateway that hears no signals', () => {
  it('reads the list within 5 s', async () => {
    const gateway = endedSessions(away);
    await gateway.start();
    end();
    expect(gateway.refuses(CALLER)).toBe(false);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(gateway.refuses(CALLER)).toBe(true);
  });

  it('knows at once what ends by a call to itself', async () => {
    const gateway = endedSessions(away);
    await gateway.start();
    end();
    await gateway.refresh();
    expect(gateway.refuses(CALLER)).toBe(true);
  });
});
