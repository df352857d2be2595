import { GetUserRequest, User } from '@pulso/contracts/identity/v1/identity';
import { Observable, from } from 'rxjs';
import { Cancellation } from '../../src/context/cancellation.js';
import { currentContext, recordWrite, runInContext } from '../../src/context/request-context.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { gate } from '../../testing/gate.js';
import { aContext, errorOf, startEcho, transports, type EchoFixture } from './echo-fixture.js';

describe.each(transports)('streamed answers over $kind', ({ make }) => {
  let fixture: EchoFixture;
  let answer: () => unknown;

  beforeAll(async () => {
    fixture = await startEcho(make(), { searchUsers: () => answer(), getUser: () => User.create() });
  });

  afterAll(() => fixture?.stop());

  const users = (count: number) =>
    Array.from({ length: count }, (_, index) => User.create({ id: `${index}` }));
  const search = (options?: { deadlineMs?: number }) =>
    fixture.client.searchUsers(GetUserRequest.create(), options);

  async function collect(stream = search()): Promise<User[]> {
    const items: User[] = [];
    for await (const item of stream) items.push(item);
    return items;
  }

  it('arrive whole and in order from an Observable', async () => {
    answer = () => from(users(500));
    expect(await collect()).toEqual(users(500));
    answer = () => from([]);
    expect(await collect()).toEqual([]);
  });

  it('arrive whole and in order from an async iterable', async () => {
    answer = async function* () {
      for (const user of users(500)) {
        await Promise.resolve();
        yield user;
      }
    };
    expect(await collect()).toEqual(users(500));
  });

  it('end with the error of their source, after the items before it', async () => {
    answer = async function* () {
      yield User.create({ id: 'first' });
      throw new DomainError('not-found', 'Gone');
    };
    const items: User[] = [];
    const error = await errorOf(async () => {
      for await (const item of search()) items.push(item);
    });
    expect(error).toMatchObject({ kind: 'not-found', code: 'not-found', message: 'Gone' });
    expect(items.map(({ id }) => id)).toEqual(['first']);
  });

  it('end with an error before the first item', async () => {
    answer = () => {
      throw new DomainError('permission-denied', 'No');
    };
    expect((await errorOf(() => collect())).kind).toBe('permission-denied');
    answer = () => 'no stream at all';
    expect((await errorOf(() => collect())).kind).toBe('internal');
  });

  it('stop their source when the reader leaves', async () => {
    const stopped = gate('the end of the source');
    answer = () =>
      new Observable<User>((subscriber) => {
        subscriber.next(User.create({ id: 'first' }));
        subscriber.next(User.create({ id: 'second' }));
        return () => stopped.open();
      });
    for await (const { id } of search()) {
      expect(id).toBe('first');
      break;
    }
    await stopped.opened;
  });

  it('stop their source when the request ends', async () => {
    const stopped = gate('the end of the source');
    const request = new Cancellation();
    answer = async function* () {
      try {
        for (;;) yield User.create();
      } finally {
        stopped.open();
      }
    };
    const error = await errorOf(
      async () => {
        for await (const item of search()) {
          expect(item).toBeDefined();
          request.end(new Error('gone'));
        }
      },
      aContext({ cancellation: request }),
    );
    expect(error.code).toBe('cancelled');
    await stopped.opened;
  });

  it('end at their deadline', async () => {
    answer = () => new Observable<User>(() => undefined);
    expect((await errorOf(() => collect(search({ deadlineMs: 60 })))).kind).toBe('deadline-exceeded');
  });

  it('make a fast source wait for a slow reader', async () => {
    let made = 0;
    const name = 'a'.repeat(64 * 1024);
    answer = async function* () {
      for (; made < 2_000; made += 1) yield User.create({ name });
    };
    const stream = search()[Symbol.asyncIterator]();
    await stream.next();
    // While these calls are answered, a source that does not wait would make all of its items.
    for (let call = 0; call < 500; call += 1) await fixture.client.getUser(GetUserRequest.create());
    // Only the buffers of sockets and HTTP/2 windows may fill: 2,000 of these items are 128 MB.
    expect(made).toBeLessThan(500);
    await stream.return!();
  });

  it('run completely in the context of their caller', async () => {
    const ids: string[] = [];
    answer = async function* () {
      for (const user of users(3)) {
        await Promise.resolve();
        ids.push(currentContext()!.requestId);
        yield user;
      }
      recordWrite({ topic: 't', key: 'k', version: 1 });
    };
    const context = aContext({ requestId: 'r-9' });
    const stream = runInContext(context, () => search());
    await collect(stream);
    expect(ids).toEqual(['r-9', 'r-9', 'r-9']);
    expect(context.wrote).toEqual([{ topic: 't', key: 'k', version: 1 }]);
  });
});
