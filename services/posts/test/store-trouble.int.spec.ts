import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { HTTP_STATUS } from '@pulso/platform/errors/http-status';
import type { DomainError } from '@pulso/platform/errors/domain-error';
import { eventOf } from '@pulso/platform/events/event-record';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { aMongoDatabase } from '@pulso/platform/testing/databases';
import { type MongodbProxy, startMongodbProxy } from '@pulso/platform/testing/mongodb-proxy';
import { TestService } from '@pulso/platform/testing/test-service';
import { until } from '@pulso/platform/testing/until';
import { posts as definition } from '../src/service.js';

const ATTEMPTS = 3;

/** Answers of MongoDB, given on the wire between posts and its store. */
describe('a MongoDB in trouble', () => {
  const database = aMongoDatabase('posts');
  let proxy: MongodbProxy;
  let service: TestService<(typeof rpcContracts)['posts']['definition']>;

  beforeAll(async () => {
    proxy = await startMongodbProxy(database.url);
    const url = new URL(proxy.url);
    // After some of these answers the driver asks how the server is, but not more often than this. Its default is 500.
    url.searchParams.set('minHeartbeatFrequencyMS', '10');
    service = await TestService.start(definition, rpcContracts.posts, {
      settings: { POSTS_DATABASE_URL: url.href },
      retry: { firstMs: 1, longestMs: 4, attempts: ATTEMPTS },
    });
  });
  afterEach(() => (proxy.fault = undefined));
  afterAll(async () => {
    await service?.stop();
    await proxy?.stop();
    await database.drop();
  });

  const user = (id: string) =>
    UserState.fromPartial({
      ...{ id, version: 1, status: UserStatus.USER_STATUS_ACTIVE },
      ...{ name: 'Ana', username: `ana-${id.slice(-8)}` },
    });
  const publish = (userId: string) =>
    service.as(userId, (client) =>
      client.publishPost({ content: 'Morning run', visibility: 1, images: [], idempotency: undefined }),
    );
  const failed = (code: number, codeName: string) => ({ ok: 0, code, codeName, errmsg: codeName });

  it.each([
    ['fails over', failed(10107, 'NotWritablePrimary')],
    ['steps down', failed(189, 'PrimarySteppedDown')],
    ['interrupts for a fail-over', failed(11602, 'InterruptedDueToReplStateChange')],
    ['is a secondary now', failed(13435, 'NotPrimaryNoSecondaryOk')],
    ['shuts down', failed(91, 'ShutdownInProgress')],
    ['is too slow inside', failed(262, 'ExceededTimeLimit')],
    ['has a write conflict', failed(112, 'WriteConflict')],
    ['waits too long for a lock', failed(24, 'LockTimeout')],
    ['cannot confirm a write', failed(64, 'WriteConcernTimeout')],
    ['cannot reach a host', failed(6, 'HostUnreachable')],
    ['has a full disk', failed(14031, 'OutOfDiskSpace')],
    ['labels an error as transient', { ...failed(8000, 'Busy'), errorLabels: ['TransientTransactionError'] }],
    ['labels a write as retryable', { ...failed(8000, 'Busy'), errorLabels: ['RetryableWriteError'] }],
  ])('that %s: calls answer 503, events wait, and nothing becomes a dead letter', async (_what, answer) => {
    const author = newId();
    await service.tell(userTopic, user(author));
    proxy.fault = { collections: ['posts', 'users'], answer };
    const refusal = await publish(author).then(
      () => undefined,
      (error: DomainError) => error,
    );
    expect(refusal).toMatchObject({ kind: 'unavailable' });
    expect(HTTP_STATUS[refusal!.kind]).toBe(503);

    const newcomer = newId();
    const event = eventOf(userTopic, user(newcomer));
    proxy.refused = [];
    await service.bus.publish([event]);
    const attempts = () =>
      proxy.refused.filter(({ update, updates }) => update === 'users' && updates[0].q._id === newcomer)
        .length;
    await until(() => attempts() > 2 * ATTEMPTS, { what: 'more attempts than end in a dead letter' });
    expect(await service.bus.deadLetters()).toEqual([]);

    proxy.fault = undefined;
    expect(await service.bus.delivered([event], 60_000)).toBe(true);
    expect((await publish(newcomer)).content).toBe('Morning run');
  });

  it('does not hide a defect: another error ends as a dead letter, and calls answer 500', async () => {
    const author = newId();
    await service.tell(userTopic, user(author));
    proxy.fault = { collections: ['posts', 'users'], answer: failed(9, 'FailedToParse') };
    await expect(publish(author)).rejects.toMatchObject({ kind: 'internal' });
    await service.bus.publish([eventOf(userTopic, user(newId()))]);
    const isDead = async () => (await service.bus.deadLetters()).length > 0;
    await until(isDead, { what: 'the event in the dead letters' });
    expect(await service.bus.deadLetters()).toMatchObject([{ attempts: ATTEMPTS }]);
  });
});
