import {
  GetUserRequest,
  SignUpRequest,
  UpdateMeRequest,
  Session,
  User,
} from '@pulso/contracts/identity/v1/identity';
import { createAccessTokenSigner, generateSigningKey } from '../../src/auth/access-token.js';
import {
  currentContext,
  recordWrite,
  requireCaller,
  runInContext,
  type RequestContext,
  type ConsistencyToken,
} from '../../src/context/request-context.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { newId } from '../../src/ids/uuid-v7.js';
import { createRegistry } from '../../src/telemetry/metrics.js';
import { systemClock } from '../../src/time/clock.js';
import { gate } from '../../testing/gate.js';
import { until } from '../../testing/until.js';
import { aContext, errorOf, startEcho, transports, type EchoFixture } from './echo-fixture.js';

const ada = { userId: newId(), sessionId: newId() };
const token = (version: number, topic = 'topic'): ConsistencyToken => ({ topic, key: 'ключ', version });

describe.each(transports)('the context over $kind', ({ make }) => {
  const registry = createRegistry('echo');
  const seenMarks = new Set<number>();
  const delivered: ConsistencyToken[][] = [];
  let asked = 0;
  const waits = { readMs: 60_000, writeMs: 60_000 };
  let delivering: Promise<void> = Promise.resolve();
  let fixture: EchoFixture;
  let seen: RequestContext | undefined;
  let inside: () => void | Promise<void> = () => undefined;

  beforeAll(async () => {
    const look = async () => {
      seen = currentContext();
      await inside();
    };
    fixture = await startEcho(
      make(),
      {
        getUser: async () => {
          await look();
          return User.create();
        },
        signUp: async () => {
          await look();
          return Session.create();
        },
      },
      {
        registry,
        waits,
        gate: {
          projects: (topic) => topic === 'topic',
          isCaughtUp: async ({ version }) => {
            asked += 1;
            return seenMarks.has(version);
          },
        },
        awaitDelivery: async (tokens) => {
          delivered.push([...tokens]);
          await delivering;
        },
      },
    );
  });

  beforeEach(() => {
    seen = undefined;
    asked = 0;
    inside = () => undefined;
    delivering = Promise.resolve();
    delivered.length = 0;
    seenMarks.clear();
  });

  afterAll(() => fixture?.stop());

  async function valueOf(name: string, labels: Record<string, string>): Promise<number> {
    for (const metric of await registry.getMetricsAsJSON()) {
      for (const value of metric.values as {
        metricName?: string;
        labels: Record<string, string>;
        value: number;
      }[]) {
        const matches = Object.entries(labels).every(([label, wanted]) => value.labels[label] === wanted);
        if ((value.metricName ?? metric.name) === name && matches) return value.value;
      }
    }
    return 0;
  }

  const handled = (rpc: string, code: string) =>
    valueOf('pulso_rpc_server_duration_seconds_count', { rpc: `pulso.test.v1.EchoService/${rpc}`, code });
  const read = () => fixture.client.getUser(GetUserRequest.create());
  const write = () => fixture.client.signUp(SignUpRequest.create());

  it('carries request id and traceparent', async () => {
    await runInContext(aContext({ requestId: 'r-7', traceparent: '00-aa-bb-01' }), read);
    expect(seen).toMatchObject({ requestId: 'r-7', traceparent: '00-aa-bb-01', after: [], wrote: [] });
  });

  it('gets defaults if the caller has none', async () => {
    await read();
    expect(seen).toMatchObject({ caller: null, traceparent: undefined, after: [] });
    expect(seen!.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("carries the deadline: the context's or the call's own, whichever is sooner", async () => {
    // Hours, because a call takes some milliseconds of its deadline on its way.
    const HOUR = 3_600_000;
    const hoursLeft = async (ofContext: number, ofCall: number) => {
      const now = Date.now();
      await runInContext(aContext({ deadline: now + ofContext * HOUR }), () =>
        fixture.client.getUser(GetUserRequest.create(), { deadlineMs: ofCall * HOUR }),
      );
      return Math.round((seen!.deadline - now) / HOUR);
    };
    expect([await hoursLeft(1, 3), await hoursLeft(3, 2)]).toEqual([1, 2]);
  });

  it('is separate from that of other calls', async () => {
    const ids: string[] = [];
    inside = async () => {
      await Promise.resolve();
      ids.push(currentContext()!.requestId);
    };
    const all = Array.from({ length: 20 }, (_, index) => `r-${index}`);
    await Promise.all(all.map((requestId) => runInContext(aContext({ requestId }), read)));
    expect(ids.sort()).toEqual(all.sort());
  });

  describe('forwards the token', () => {
    const bearer = async () => {
      const { token } = await fixture.signer.sign(ada);
      return `Bearer ${token}`;
    };

    it('which the service verifies', async () => {
      const authorization = await bearer();
      for (let repeat = 0; repeat < 2; repeat += 1) {
        inside = () => expect(requireCaller().userId).toBe(ada.userId);
        await runInContext(aContext({ authorization }), read);
        expect(seen).toMatchObject({ authorization, caller: ada });
      }
    });

    it('and is a visitor without one', async () => {
      inside = () => void requireCaller();
      expect(await errorOf(read)).toMatchObject({ kind: 'unauthenticated', code: 'not-authenticated' });
      expect(seen!.caller).toBeNull();
    });

    it('and trusts only the token, not the gateway', async () => {
      const stranger = createAccessTokenSigner({
        keys: [await generateSigningKey()],
        ttlSeconds: 60,
        clock: systemClock,
      });
      const forged = `Bearer ${(await stranger.sign(ada)).token}`;
      const caller = { ...ada, expiresAt: Infinity };
      for (const authorization of [
        forged,
        'Bearer x',
        'Basic YTpi',
        'Bearer',
        '',
        'Bearer ñ\n',
        `${await bearer()}x`,
      ]) {
        const error = await errorOf(read, aContext({ authorization, caller }));
        expect(error).toMatchObject({ kind: 'unauthenticated', code: 'user-token-expired' });
      }
      expect(seen).toBeUndefined();
    });
  });

  describe('carries consistency tokens', () => {
    it('in both directions', async () => {
      inside = () => recordWrite(token(2));
      const context = aContext({ after: [token(1, 'not projected')] });
      await runInContext(context, write);
      expect(seen!.after).toEqual([token(1, 'not projected')]);
      expect(context.wrote).toEqual([token(2)]);
    });

    it('of the same request to its next call', async () => {
      seenMarks.add(2);
      inside = () => recordWrite(token(2));
      const context = aContext({ after: [token(1, 'not projected')] });
      await runInContext(context, write);
      inside = () => undefined;
      await runInContext(context, read);
      expect(seen!.after).toEqual([token(1, 'not projected'), token(2)]);
      expect(context.wrote).toEqual([token(2)]);
    });

    it('of a call that failed after its write', async () => {
      inside = () => {
        recordWrite(token(3));
        throw new DomainError('conflict', 'Half way');
      };
      const context = aContext();
      expect((await errorOf(write, context)).code).toBe('conflict');
      expect(context.wrote).toEqual([token(3)]);
    });

    it('once they are delivered', async () => {
      const delivery = gate('the delivery to be let go');
      delivering = delivery.opened;
      inside = () => recordWrite(token(4));
      let answered = false;
      const call = write().then(() => (answered = true));
      await until(() => delivered.length > 0, { what: 'the wait for the delivery' });
      expect(delivered).toEqual([[token(4)]]);
      expect(answered).toBe(false);
      delivery.open();
      await call;
    });

    it('and succeeds although the wait for delivery fails', async () => {
      delivering = Promise.reject(new Error('bus is down'));
      inside = () => recordWrite(token(9));
      const context = aContext();
      await runInContext(context, write);
      expect(context.wrote).toEqual([token(9)]);
      expect(fixture.logs.at(-1)).toContain('bus is down');
    });

    it('and does not wait if nothing was written', async () => {
      await write();
      expect(delivered).toEqual([]);
    });
  });

  describe('waits for the caller’s writes', () => {
    beforeEach(() => void Object.assign(waits, { readMs: 60_000, writeMs: 60_000 }));

    it('until they have arrived', async () => {
      const call = runInContext(aContext({ after: [token(5)] }), write);
      await until(() => asked >= 3, { what: 'the gate to be asked again' });
      expect(seen).toBeUndefined();
      seenMarks.add(5);
      await call;
      expect(seen).toBeDefined();
    });

    it('then answers reads with stale data and counts them', async () => {
      const stale = () =>
        valueOf('pulso_rpc_stale_reads_total', { rpc: 'pulso.test.v1.EchoService/getUser' });
      const before = await stale();
      waits.readMs = 20;
      const context = aContext({ after: [token(6)] });
      await runInContext(context, read);
      expect(await stale()).toBe(before + 1);
      expect(context.stale).toBe(true);
    });

    it('and says nothing of it when they have arrived', async () => {
      seenMarks.add(8);
      const context = aContext({ after: [token(8)] });
      await runInContext(context, read);
      expect(context.stale).toBeUndefined();
    });

    it('counts every read from 0, and no write', async () => {
      const text = await registry.metrics();
      const count = (rpc: string) =>
        `pulso_rpc_stale_reads_total{rpc="pulso.test.v1.EchoService/${rpc}",service="echo"}`;
      expect(text).toContain(`${count('findUser')} 0`);
      expect(text).not.toContain(count('signUp'));
    });

    it('and refuses writes', async () => {
      waits.writeMs = 20;
      const error = await errorOf(write, aContext({ after: [token(7)] }));
      expect(error).toMatchObject({ kind: 'unavailable', code: 'unavailable', details: { retryAfter: 1 } });
      expect(seen).toBeUndefined();
    });

    it('but no longer than the deadline', async () => {
      // The waits are longer than the test may take.
      Object.assign(waits, { readMs: 600_000, writeMs: 600_000 });
      const error = await errorOf(write, aContext({ after: [token(8)], deadline: Date.now() + 80 }));
      expect(['unavailable', 'deadline-exceeded']).toContain(error.kind);
      expect(seen).toBeUndefined();
    });
  });

  it('counts calls and outcomes', async () => {
    inside = () => {
      throw new DomainError('username-taken', 'Taken');
    };
    await errorOf(
      () => fixture.client.updateMe(UpdateMeRequest.create()),
      aContext({ authorization: 'Bearer x' }),
    );
    await errorOf(write);
    expect(await handled('getUser', 'ok')).toBeGreaterThan(0);
    expect(await handled('signUp', 'conflict')).toBeGreaterThan(0);
    expect(await handled('updateMe', 'unauthenticated')).toBe(1);
    expect(await handled('updateMe', 'ok')).toBe(0);
  });
});
