import { GetUserRequest, SignUpRequest, User } from '@pulso/contracts/identity/v1/identity';
import { jest } from '@jest/globals';
import { Cancellation } from '../../src/context/cancellation.js';
import { currentContext } from '../../src/context/request-context.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { aContext, errorOf, moment, startEcho, transports, type EchoFixture } from './echo-fixture.js';

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

  afterAll(() => fixture.stop());

  const read = (options?: { deadlineMs?: number }) =>
    fixture.client.getUser(GetUserRequest.create(), options);
  const write = () => fixture.client.signUp(SignUpRequest.create());

  /** A handler that ends only by its signal; `entered` and the abort reason can be awaited. */
  function endless() {
    const entered = moment();
    const aborted = moment<unknown>();
    inside = (signal) => {
      entered.arrive();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.arrive(signal.reason);
          reject(signal.reason as Error);
        });
      });
    };
    return { entered: entered.reached, aborted: aborted.reached };
  }

  /** Writes with a short deadline; on a busy machine again with a longer one, until it ends in the handler. */
  async function endInHandler(): Promise<DomainError> {
    for (let budgetMs = 80; ; budgetMs *= 2) {
      const error = await errorOf(write, aContext({ deadline: Date.now() + budgetMs }));
      if (calls > 0) return error;
      expect(error.kind).toBe('deadline-exceeded');
    }
  }

  it("ends at the context's deadline, for the handler too", async () => {
    const handler = endless();
    const started = performance.now();
    const error = await endInHandler();
    expect(error).toMatchObject({ kind: 'deadline-exceeded', code: 'deadline-exceeded' });
    // The call's own deadline would end it after a minute.
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(await handler.aborted).toBeInstanceOf(Error);
  });

  it("ends at the call's own deadline when that is sooner", async () => {
    endless();
    expect((await errorOf(() => read({ deadlineMs: 60 }))).kind).toBe('deadline-exceeded');
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
    await handler.entered;
    request.end(new Error('gone'));
    expect(await call).toMatchObject({ kind: 'unavailable', code: 'cancelled' });
    expect(await handler.aborted).toMatchObject({ code: 'cancelled' });
  });

  it('is not retried for a cancelled read', async () => {
    const handler = endless();
    const request = new Cancellation();
    const call = errorOf(read, aContext({ cancellation: request }));
    await handler.entered;
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
    const late = moment();
    const aborted = moment();
    inside = async (signal) => {
      signal.addEventListener('abort', () => aborted.arrive());
      await late.reached;
      throw new Error('too late');
    };
    expect((await endInHandler()).kind).toBe('deadline-exceeded');
    await aborted.reached;
    late.arrive();
    inside = () => User.create({ id: 'next' });
    expect((await read()).id).toBe('next');
    expect(fixture.logs.join()).not.toContain('too late');
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
      for await (const user of own.client.searchUsers(GetUserRequest.create())) expect(user).toBeDefined();
      await own.client.getUser(GetUserRequest.create());
      // Resolves when the server has seen the end of every call.
      await own.stop();
      expect(ends).not.toHaveBeenCalled();
    } finally {
      ends.mockRestore();
    }
  });
});
