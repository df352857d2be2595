import { GetUserRequest, SignUpRequest, UpdateMeRequest, User } from '@pulso/contracts/identity/v1/identity';
import mongoose from 'mongoose';
import { type ErrorCode, INTERNAL_ERRORS, kindOf, PUBLISHED_ERRORS } from '@pulso/contracts/error-codes';
import { from, throwError } from 'rxjs';
import { DomainError, unavailable, validationFailed } from '../../src/errors/domain-error.js';
import { gate } from '../../testing/gate.js';
import { until } from '../../testing/until.js';
import { errorOf, startEcho, transports, type EchoFixture } from './echo-fixture.js';

const codes = Object.keys({ ...PUBLISHED_ERRORS, ...INTERNAL_ERRORS }) as ErrorCode[];

describe.each(transports)('errors over $kind', ({ make }) => {
  let fixture: EchoFixture;
  let calls = 0;
  let answer: () => unknown;

  beforeAll(async () => {
    const behave = () => {
      calls += 1;
      return answer();
    };
    fixture = await startEcho(make(), { getUser: behave, signUp: behave, updateMe: behave });
  });

  beforeEach(() => {
    calls = 0;
  });

  afterAll(() => fixture?.stop());

  const failWith = (error: unknown) => {
    answer = () => {
      throw error;
    };
  };
  const write = () => fixture.client.signUp(SignUpRequest.create());
  const read = () => fixture.client.getUser(GetUserRequest.create());

  it.each(codes)('keep kind, code and message: %s', async (code) => {
    failWith(new DomainError(code, `¿Qué pasó? ${code} 💥`));
    const error = await errorOf(write);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({
      kind: kindOf(code),
      code,
      message: `¿Qué pasó? ${code} 💥`,
      details: {},
    });
  });

  it('keep their details', async () => {
    const fields = [
      { path: 'images.0.alt', message: 'Too long — señor', code: 'too-long' as const },
      { path: 'name', message: 'Is required', code: 'required' as const },
    ];
    failWith(validationFailed(fields));
    expect((await errorOf(write)).details).toEqual({ errors: fields });
    failWith(new DomainError('too-many-requests', 'Slow down', { retryAfter: 30 }));
    expect((await errorOf(write)).details).toEqual({ retryAfter: 30 });
  });

  it('keep as many details as fit into metadata', async () => {
    const fields = Array.from({ length: 2_000 }, (_, index) => ({
      path: `items.${index}`,
      message: 'ä'.repeat(20),
      // Of a newer build.
      code: 'wrong' as 'invalid',
    }));
    failWith(validationFailed(fields));
    const { code, details } = await errorOf(write);
    expect(code).toBe('validation-failed');
    expect(details.errors!.length).toBeGreaterThan(50);
    expect(details.errors).toEqual(fields.slice(0, details.errors!.length));
  });

  it('are rejected promises and failed observables alike', async () => {
    answer = () => Promise.reject(new DomainError('username-taken', 'Taken'));
    expect((await errorOf(write)).code).toBe('username-taken');
    answer = () => throwError(() => new DomainError('username-taken', 'Taken'));
    expect((await errorOf(write)).code).toBe('username-taken');
  });

  it.each([
    ['that is unreachable', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    [
      'without a primary',
      new mongoose.mongo.MongoServerError({ code: 10107, message: 'NotWritablePrimary' }),
    ],
    ['on a full disk', new mongoose.mongo.MongoServerError({ code: 14031, message: 'OutOfDiskSpace' })],
  ])('of a store %s become unavailable and are logged', async (_what, error) => {
    fixture.logs.length = 0;
    failWith(error);
    expect(await errorOf(write)).toMatchObject({ kind: 'unavailable', code: 'unavailable' });
    expect(fixture.logs).toHaveLength(1);
  });

  it('of any other class are logged and do not expose their message', async () => {
    failWith(new TypeError('relation "users" leaks'));
    const error = await errorOf(write);
    expect(error).toMatchObject({ kind: 'internal', code: 'internal' });
    expect(JSON.stringify(error) + error.message).not.toContain('leaks');
    expect(JSON.parse(fixture.logs.at(-1)!)).toMatchObject({
      level: 'error',
      rpc: 'pulso.test.v1.EchoService/signUp',
      requestId: 'request-1',
      err: { type: 'TypeError', message: 'relation "users" leaks' },
    });
    failWith('a string');
    expect((await errorOf(write)).kind).toBe('internal');
  });

  it('include invalid answers', async () => {
    answer = () => undefined;
    expect((await errorOf(write)).kind).toBe('internal');
    answer = () => from([]);
    expect((await errorOf(write)).kind).toBe('internal');
  });

  describe('with the kind unavailable', () => {
    it('are retried once for reads', async () => {
      answer = () => {
        if (calls === 1) throw unavailable();
        return User.create({ id: 'second' });
      };
      expect((await read()).id).toBe('second');
      failWith(unavailable());
      calls = 0;
      expect((await errorOf(read)).kind).toBe('unavailable');
      expect(calls).toBe(2);
    });

    it('are not retried for writes', async () => {
      failWith(unavailable());
      expect((await errorOf(write)).kind).toBe('unavailable');
      expect((await errorOf(() => fixture.client.updateMe(UpdateMeRequest.create()))).kind).toBe(
        'unavailable',
      );
      expect(calls).toBe(2);
    });

    it('are the only ones that are retried', async () => {
      failWith(new DomainError('internal', 'no'));
      await errorOf(read);
      expect(calls).toBe(1);
    });
  });

  it('are unavailable while the service is down, until it is back', async () => {
    answer = () => User.create({ id: 'back' });
    await read();
    await fixture.service.close();
    expect(await errorOf(read)).toMatchObject({ kind: 'unavailable', code: 'unavailable' });
    expect(await errorOf(write)).toMatchObject({ kind: 'unavailable', code: 'unavailable' });
    await fixture.restart();
    const user = await until(() => read().catch(() => undefined), { what: 'an answer after the restart' });
    expect(user).toEqual(User.create({ id: 'back' }));
  });

  it('do not affect a running call when the service stops', async () => {
    const entered = gate('the running call');
    const go = gate('the running call to be let go');
    answer = async () => {
      entered.open();
      await go.opened;
      return User.create({ id: 'finished' });
    };
    const call = read();
    await entered.opened;
    const closing = fixture.service.close();
    go.open();
    expect((await call).id).toBe('finished');
    await closing;
    await fixture.restart();
  });
});
