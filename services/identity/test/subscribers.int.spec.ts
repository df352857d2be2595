import type { Session } from '@pulso/contracts/identity/v1/identity';
import { rpcContracts } from '@pulso/contracts/rpc';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { blockTopic } from '@pulso/contracts/topics/social';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { outcome } from '@pulso/platform/testing/outcomes';
import { TestService } from '@pulso/platform/testing/test-service';
import { identity as definition } from '../src/service.js';
import { aSignUp } from './start.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let identity: TestService<(typeof rpcContracts.identity)['definition']>;
beforeAll(async () => (identity = await TestService.start(definition, rpcContracts.identity)));
afterAll(() => identity?.stop());

const idOf = (session: Session) => session.account!.user!.id;
const signUp = (isCoach = false) => identity.client.signUp(aSignUp({ isCoach }));

let version = 0;
const subscribe = (user: Session, coach: Session, access: { active: boolean; accessUntil?: number }) => {
  version += 1;
  return identity.tell(subscriptionTopic, { userId: idOf(user), coachId: idOf(coach), version, ...access });
};

const emails = async (caller: Session, users: readonly Session[]) => {
  const userIds = users.map(idOf);
  const { emails: found } = await identity.as(idOf(caller), (client) =>
    client.listSubscriberEmails({ userIds }),
  );
  return found.sort((a, b) => a.userId.localeCompare(b.userId));
};

const addresses = (...users: Session[]) =>
  users
    .map((user) => ({ userId: idOf(user), email: user.account!.email }))
    .sort((a, b) => a.userId.localeCompare(b.userId));

// Rule: SUBS-27
describe("subscribers' addresses", () => {
  it('are told to the coach while the access lasts, also to its end without an event', async () => {
    const [coach, open, ending, ended, stranger] = [
      await signUp(true),
      await signUp(),
      await signUp(),
      await signUp(),
      await signUp(),
    ];
    const users = [open, ending, ended, stranger];
    await subscribe(open, coach, { active: true });
    await subscribe(ending, coach, { active: true, accessUntil: identity.clock.now() + DAY_MS });
    await subscribe(ended, coach, { active: true });
    expect(await emails(coach, users)).toEqual(addresses(open, ending, ended));
    await subscribe(ended, coach, { active: false });
    expect(await emails(coach, users)).toEqual(addresses(open, ending));
    expect(await emails(coach, [open])).toEqual(addresses(open));
    identity.clock.advance(DAY_MS);
    expect(await emails(coach, users)).toEqual(addresses(open));
  });

  it('are told to nobody else, and not to one who is no active coach any more', async () => {
    const [coach, other, member, subscriber] = [
      await signUp(true),
      await signUp(true),
      await signUp(),
      await signUp(),
    ];
    await subscribe(subscriber, coach, { active: true });
    await subscribe(subscriber, member, { active: true });
    for (const caller of [other, member, subscriber]) {
      expect(await emails(caller, [subscriber, coach, member])).toEqual([]);
    }
    const userIds = [idOf(subscriber)];
    expect(await outcome(identity.client.listSubscriberEmails({ userIds }))).toBe(
      'unauthenticated not-authenticated',
    );
    await identity.tamper('UPDATE users SET is_coach = false WHERE id = $1', [idOf(coach)]);
    expect(await emails(coach, [subscriber])).toEqual([]);
  });

  // Rule: SUBS-12
  it('of suspended subscribers, who keep their access, are told, and of deleted ones not', async () => {
    const [coach, subscriber] = [await signUp(true), await signUp()];
    await subscribe(subscriber, coach, { active: true });
    const become = (status: string) =>
      identity.tamper('UPDATE users SET status = $2 WHERE id = $1', [idOf(subscriber), status]);
    await become('suspended');
    expect(await emails(coach, [subscriber])).toEqual(addresses(subscriber));
    await become('deleted');
    expect(await emails(coach, [subscriber])).toEqual([]);
  });

  it('are asked for at most 100 at once', async () => {
    const coach = await signUp(true);
    const ask = (count: number) =>
      identity.as(idOf(coach), (client) =>
        client.listSubscriberEmails({ userIds: Array.from({ length: count }, () => newId()) }),
      );
    expect(await ask(100)).toEqual({ emails: [] });
    expect(await outcome(ask(101))).toBe('invalid-argument validation-failed');
    const nonsense = () =>
      identity.as(idOf(coach), (client) => client.listSubscriberEmails({ userIds: ['x'] }));
    expect(await nonsense()).toEqual({ emails: [] });
  });
});

// Rule: PEOPLE-23
describe('users of a list', () => {
  const users = async (caller: Session | null, ids: string[]) => {
    const found = await identity.as(caller && idOf(caller), (client) => client.getUsers({ ids }));
    return found.users.map(({ id }) => id).sort();
  };

  it('are those who are there for the caller, as getUser gives them', async () => {
    const [ana, ben, cora, gone] = [await signUp(true), await signUp(), await signUp(), await signUp()];
    await identity.tamper("UPDATE users SET status = 'suspended' WHERE id = $1", [idOf(gone)]);
    version += 1;
    const block = { blockerId: idOf(ben), blockedId: idOf(ana), active: true, version };
    await identity.tell(blockTopic, block);
    const ids = [idOf(ana), idOf(ben), idOf(cora), idOf(gone), newId(), 'nonsense', idOf(cora)];
    expect(await users(null, ids)).toEqual([idOf(ana), idOf(ben), idOf(cora)].sort());
    expect(await users(ana, ids)).toEqual([idOf(ana), idOf(cora)].sort());
    expect(await users(ben, ids)).toEqual([idOf(ana), idOf(ben), idOf(cora)].sort());
    const { users: alone } = await identity.client.getUsers({ ids: [idOf(ana)] });
    expect(alone).toEqual([await identity.client.getUser({ id: idOf(ana) })]);
    const many = Array.from({ length: 101 }, () => newId());
    expect(await outcome(identity.client.getUsers({ ids: many }))).toBe('invalid-argument validation-failed');
  });
});
