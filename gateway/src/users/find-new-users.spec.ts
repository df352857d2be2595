import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { ReportReason, ReportSubject } from '@pulso/contracts/social/v1/social';
import { currentContext, runInContext } from '@pulso/platform/context/request-context';
import { DomainError, notFound, unavailable } from '@pulso/platform/errors/domain-error';
import { aContext } from '@pulso/platform/testing/context';
import type { GatewayClients } from '../connect-services.js';
import { findingNewUsers } from './find-new-users.js';

const [ANA, NOBODY] = ['ana', 'nobody'];
const OWN = { topic: 'own', key: 'write', version: 3 };
const TOKEN = { topic: userTopic.name, key: ANA, version: 7 };

/** Services that have no users yet, and receive those whom a call's tokens name. */
function clients(answer: (request: never) => Promise<unknown>) {
  const calls: { request: unknown; after: unknown }[] = [];
  const call = (request: never) => {
    calls.push({ request, after: currentContext()?.after });
    return answer(request);
  };
  const methods = ['followUser', 'listFollowers', 'putReview', 'createReport', 'getRelations'];
  const social = Object.fromEntries(methods.map((method) => [method, call]));
  const identity = {
    getUserVersion: ({ id }: { id: string }) =>
      id === ANA ? Promise.resolve({ version: 7 }) : Promise.reject(notFound()),
  };
  const found = findingNewUsers({
    ...{ social, identity },
    posts: { listUserPosts: call },
    messaging: { startConversation: call, sendMessage: call },
    billing: { subscribe: call, cancelSubscription: call, getStandings: call },
  } as unknown as GatewayClients);
  const inRequest = <T>(work: () => T) => runInContext(aContext({ after: [OWN] }), work);
  return { found, calls, identity, inRequest };
}

const isTold = () => currentContext()!.after.some(({ topic, key }) => topic === TOKEN.topic && key === ANA);
const arrives = () => (isTold() ? Promise.resolve('done') : Promise.reject(notFound()));
const missing = () => Promise.reject(notFound());

// Rule: HTTP-30
describe('a user whom a service has not received', () => {
  it.each([
    ['followUser', { userId: ANA }],
    ['listFollowers', { userId: ANA, limit: 20, cursor: '' }],
    ['putReview', { coachId: ANA, rating: 5, comment: 'Good' }],
    [
      'createReport',
      {
        subjectType: ReportSubject.REPORT_SUBJECT_USER,
        subjectId: ANA,
        reason: ReportReason.REPORT_REASON_SPAM,
      },
    ],
  ] as const)('is waited for by %s when identity has the account', async (method, request) => {
    const { found, calls, inRequest } = clients(arrives);
    expect(await inRequest(() => found.social[method](request as never))).toBe('done');
    expect(calls).toEqual([
      { request, after: [OWN] },
      { request, after: [OWN, TOKEN] },
    ]);
  });

  it('is waited for by the list of their posts', async () => {
    const { found, inRequest } = clients(arrives);
    expect(await inRequest(() => found.posts.listUserPosts({ userId: ANA, limit: 20, cursor: '' }))).toBe(
      'done',
    );
  });

  it.each([
    ['startConversation', { userId: ANA }],
    ['sendMessage', { receiverId: ANA, content: 'Hello', idempotencyKey: '' }],
  ] as const)('is waited for by %s, to whom it is addressed', async (method, request) => {
    const { found, calls, inRequest } = clients(arrives);
    expect(await inRequest(() => found.messaging[method](request as never))).toBe('done');
    expect(calls.at(-1)).toEqual({ request, after: [OWN, TOKEN] });
  });

  it.each(['subscribe', 'cancelSubscription'] as const)('is waited for by %s', async (method) => {
    const { found, calls, inRequest } = clients(arrives);
    const request = { coachId: ANA };
    expect(await inRequest(() => found.billing[method](request as never))).toBe('done');
    expect(calls.at(-1)).toEqual({ request, after: [OWN, TOKEN] });
  });

  it('stays not found for an id of nobody, and when the service refuses a user whom it has', async () => {
    const { found, calls, inRequest } = clients(missing);
    await expect(inRequest(() => found.social.followUser({ userId: NOBODY }))).rejects.toEqual(notFound());
    expect(calls).toHaveLength(1);
    await expect(inRequest(() => found.social.followUser({ userId: ANA }))).rejects.toEqual(notFound());
    expect(calls).toHaveLength(3);
  });

  it('stays not found while identity cannot be asked', async () => {
    const { found, calls, identity, inRequest } = clients(missing);
    identity.getUserVersion = () => Promise.reject(unavailable());
    await expect(inRequest(() => found.social.followUser({ userId: ANA }))).rejects.toEqual(notFound());
    expect(calls).toHaveLength(1);
  });

  it('is unavailable when the service is, having waited', async () => {
    const { found, inRequest } = clients(() => Promise.reject(isTold() ? unavailable() : notFound()));
    await expect(inRequest(() => found.social.followUser({ userId: ANA }))).rejects.toEqual(unavailable());
  });
});

describe('calls that need no second attempt', () => {
  it('are those with another error, about something else than a user, or about several', async () => {
    const refused = new DomainError('blocked', 'No');
    const { found, calls, inRequest } = clients(() => Promise.reject(refused));
    await expect(inRequest(() => found.social.followUser({ userId: ANA }))).rejects.toBe(refused);
    expect(calls).toHaveLength(1);

    const other = clients(missing);
    const report = { subjectType: ReportSubject.REPORT_SUBJECT_POST, subjectId: 'a-post' };
    await expect(other.inRequest(() => other.found.social.createReport(report as never))).rejects.toThrow();
    await expect(
      other.inRequest(() => other.found.social.getRelations({ userIds: [ANA] })),
    ).rejects.toThrow();
    expect(other.calls).toHaveLength(2);
  });
});

describe('the contracts', () => {
  /** Identity has every user at once; media knows owners of pictures alone. */
  const { billing, messaging, posts, social } = rpcContracts;
  const methods = Object.entries({ billing, messaging, posts, social }).flatMap(
    ([service, { definition, aboutUser }]) =>
      Object.entries(definition).map(([name, method]) => ({
        name: `${service}.${name}`,
        fields: Object.keys((method as Method).requestDeserialize(Buffer.alloc(0))),
        field: aboutUser.get(name),
      })),
  );
  interface Method {
    requestDeserialize(bytes: Buffer): object;
  }

  it('name a field of the request where a call is about one user', () => {
    const named = methods.filter(({ field }) => field !== undefined);
    expect(named.length).toBeGreaterThan(10);
    for (const { name, fields, field } of named)
      expect([name, fields]).toEqual([name, expect.arrayContaining([field])]);
  });

  it('say of every call with a field for one user that it is about this user', () => {
    const silent = methods.filter(
      ({ fields, field }) => field === undefined && fields.some((name) => USER_FIELDS.has(name)),
    );
    // Its `not-found` means that there was no subscription, whoever the user is.
    expect(silent.map(({ name }) => name)).toEqual(['billing.getSubscription']);
  });
  const USER_FIELDS = new Set(['userId', 'coachId', 'receiverId']);
});
