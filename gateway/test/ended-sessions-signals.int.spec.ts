import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import type { SignalListener, Signals } from '@pulso/platform/signals/signals';
import { systemClock } from '@pulso/platform/time/clock';
import { EndedSessions } from '../src/auth/ended-sessions.js';
import type { IdentityClient } from '../src/clients.js';
import { SESSION_ID, USER_ID } from './support/fake-clients.js';

const logger = createLogger({ service: 'signals-test', level: 'silent' });
const CALLER = { userId: USER_ID, sessionId: SESSION_ID, issuedAt: Date.now(), expiresAt: Infinity };

describe('a gateway that hears of an ended session', () => {
  const endedSessions = (signals: Signals, list: { id: string; endedAt: number }[]) => {
    const identity = {
      listEndedSessions: async () => ({ sessions: list, more: false }),
    } as unknown as IdentityClient;
    return new EndedSessions({ identity, clock: systemClock, logger, signals });
  };
  const read = (gateway: EndedSessions) => new Promise<void>((done) => gateway.onRead(done));

  it('reads identity’s list at once', async () => {
    const signals = new InProcessSignals();
    const list: { id: string; endedAt: number }[] = [];
    const here = endedSessions(signals, list);
    const elsewhere = endedSessions(signals, list);
    await elsewhere.start();
    list.push({ id: SESSION_ID, endedAt: Date.now() });
    expect(elsewhere.refuses(CALLER)).toBe(false);
    const told = read(elsewhere);
    await here.refresh();
    await told;
    expect([here.refuses(CALLER), elsewhere.refuses(CALLER)]).toEqual([true, true]);
    await elsewhere.stop();
  });

  it('reads it again after signals may have been lost, and for no other signal', async () => {
    const listeners: SignalListener[] = [];
    let reads = 0;
    const signals: Signals = {
      send: () => undefined,
      listen: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    };
    const gateway = endedSessions(signals, []);
    gateway.onRead(() => (reads += 1));
    await gateway.start();
    await gateway.stop();
    const before = reads;
    listeners[0]!.heard(`user:${USER_ID}`);
    const told = read(gateway);
    listeners[0]!.resumed!();
    await told;
    expect(reads).toBe(before + 1);
    await gateway.stop();
  });
});
