import { GetUserRequest, SignUpRequest, User } from '@pulso/contracts/identity/v1/identity';
import { jest } from '@jest/globals';
import { Cancellation } from '../../src/context/cancellation.js';
import { currentContext } from '../../src/context/request-context.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { gate } from '../../testing/gate.js';
import { aContext, errorOf, startEcho, transports, type EchoFixture } from './echo-fixture.js';

/** Longer than any test. */
const HOUR = 3_600_000;

describe.each(transports)('the cancellation of a call over $kind', ({ make }) => {
  let fixture: EchoFixture;
  let calls = 0;
  let inside: (signal: AbortSignal) => unknown = () => User.create();

  beforeAll(async () => {
    const handle = () => {
      calls += 1;
      return inside(currentContext()!.cancellation.signal);
    };
    fixture = await startEcho(make(), { getUser: handle, signUp: handle });
    // The first call over a socket includes the connection.
    await fixture.client.getUser(GetUserRequest.create());
  });

  beforeEach(() => {
    calls = 0;
  });

  afterAll(() => fixture?.stop());

  const read = (options?: { deadlineMs?: number }) =>
    fixture.client.getUser(GetUserRequest.create(), options);
  const write = (options?: { deadlineMs?: number }) => fixture.client.signUp(SignUpRequest.create(), options);

  /** A handler that ends only by its signal; its begin and the abort reason can be awaited. */
  function endless() {
    const entered = gate('the begin of the handler');
    const aborted = gate<unknown>('the abort of the handler');
    inside = (signal) => {
      entered.open();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.open(signal.reason);
          reject(signal.reason as Error);
        });
      });
    };
    return { entered, aborted };
  }

  /** Makes a call that its deadline ends while its handler runs: a machine that stalls gets a later deadline. */
  async function endedByDeadline(call: (deadlineMs: number) => Promise<DomainError>) {
    for (let deadlineMs = 50; deadlineMs < 60_000; deadlineMs *= 4) {
      const { aborted } = endless();
      const before = calls;
      const error = await call(deadlineMs);
      if (calls > before) return { error, reason: await aborted.opened };
    }
    throw new Error('no call reached its handler before its deadline');
  }

  const DEADLINE_EXCEEDED = { kind: 'deadline-exceeded', code: 'deadline-exceeded' };
  /** A service behind a socket may hear of the deadline from its caller first. */
  const LATE = expect.objectContaining({ code: expect.stringMatching(/^(deadline-exceeded|cancelled)$/) });

  it("ends at the context's deadline, for the handler too", async () => {
    const { error, reason } = await endedByDeadline((deadlineMs) =>
      errorOf(() => write({ deadlineMs: HOUR }), aContext({ deadline: Date.now() + deadlineMs })),
    );
    expect(error).toMatchObject(DEADLINE_EXCEEDED);
    expect(reason).toEqual(LATE);
  });

  it("ends at the call's own deadline when that is sooner", async () => {
    const { error, reason } = await endedByDeadline((deadlineMs) =>
      errorOf(() => read({ deadlineMs }), aContext({ deadline: Date.now() + HOUR })),
    );
    expect(error).toMatchObject(DEADLINE_EXCEEDED);
    expect(reason).toEqual(LATE);
  });

  it('does not begin once the deadline has passed', async () => {
    const error = await errorOf(read, aContext({ deadline: Date.now() - 1 }));
    expect(error.kind).toBe('deadline-exceeded');
    expect(calls).toBe(0);
  });

  it('ends with the request that made it, for the handler too', async () => {
    const handler = endless();
    const request = new Cancellation();
    const call = errorOf(write, aContext({ cancellation: request }));
    await handler.entered.opened;
    request.end(new Error('gone'));
    expect(await call).toMatchObject({ kind: 'unavailable', code: 'cancelled' });
    expect(await handler.aborted.opened).toMatchObject({ code: 'cancelled' });
  });

  it('is not retried for a cancelled read', async () => {
    const handler = endless();
    const request = new Cancellation();
    const call = errorOf(read, aContext({ cancellation: request }));
    await handler.entered.opened;
    request.end(new Error('gone'));
    expect((await call).code).toBe('cancelled');
    expect(calls).toBe(1);
  });

  it('does not begin for a cancelled request', async () => {
    const cancellation = new Cancellation();
    cancellation.end(new Error('gone'));
    const error = await errorOf(read, aContext({ cancellation }));
    expect(error.code).toBe('cancelled');
    expect(calls).toBe(0);
  });

  it.each([
    ['logs a defect', new TypeError('of a defect'), 1],
    ['does not log a domain error', new DomainError('username-taken', 'Taken'), 0],
    ['does not log an aborted step', Object.assign(new Error('aborted'), { name: 'AbortError' }), 0],
    ['does not log a store in trouble', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 0],
  ])('%s that comes after it', async (_, late, logged) => {
    const entered = gate('the begin of the handler');
    const ended = gate('the end of the handler');
    inside = (signal) => {
      entered.open();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(late);
          setImmediate(() => ended.open());
        });
      });
    };
    fixture.logs.length = 0;
    const request = new Cancellation();
    const call = errorOf(write, aContext({ cancellation: request }));
    await entered.opened;
    request.end(new Error('gone'));
    expect((await call).code).toBe('cancelled');
    await ended.opened;
    const lines = fixture.logs.map((line) => JSON.parse(line));
    expect(lines).toMatchObject(
      Array.from({ length: logged }, () => ({
        level: 'error',
        msg: 'rpc failed after its answer',
        rpc: 'pulso.test.v1.EchoService/signUp',
        requestId: 'request-1',
        err: { type: 'TypeError', message: 'of a defect' },
      })),
    );
  });

  it('does not abort its signal after the answer', async () => {
    let signal: AbortSignal | undefined;
    inside = (given) => {
      signal = given;
      return User.create({ id: 'done' });
    };
    const request = new Cancellation();
    const context = aContext({ cancellation: request });
    await errorOf(async () => {
      await read();
      request.end(new Error('gone'));
      await read();
    }, context);
    expect(signal!.aborted).toBe(false);
  });

  it('that ends early survives a later failure of the handler', async () => {
    const late = gate('the late failure to be let go');
    const entered = gate('the begin of the handler');
    const aborted = gate('the abort of the handler');
    inside = async (signal) => {
      signal.addEventListener('abort', () => aborted.open());
      entered.open();
      await late.opened;
      throw new Error('too late');
    };
    const request = new Cancellation();
    const call = errorOf(write, aContext({ cancellation: request }));
    await entered.opened;
    request.end(new Error('gone'));
    expect((await call).code).toBe('cancelled');
    await aborted.opened;
    late.open();
    inside = () => User.create({ id: 'next' });
    expect((await read()).id).toBe('next');
  });

  it('is not made for calls that nobody cancels', async () => {
    const answers = [
      () => User.create(),
      () => Promise.reject(new DomainError('not-found', 'Gone')),
      () => User.create(),
    ];
    const own = await startEcho(make(), { getUser: () => answers.shift()!() });
    const ends = jest.spyOn(Cancellation.prototype, 'end');
    try {
      await own.client.getUser(GetUserRequest.create());
      await errorOf(() => own.client.getUser(GetUserRequest.create()));
      await own.client.getUser(GetUserRequest.create());
      // Resolves when the server has seen the end of every call.
      await own.stop();
      expect(ends).not.toHaveBeenCalled();
    } finally {
      ends.mockRestore();
    }
  });
});
