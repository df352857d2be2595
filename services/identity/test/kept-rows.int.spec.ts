import { CoachOrder, ListCoachesRequest } from '@pulso/contracts/identity/v1/identity';
import { BlockState, UserFiguresState, UserSuspensionState } from '@pulso/contracts/social/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { blockTopic, userFiguresTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { eventOf } from '@pulso/platform/events/event-record';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { inContext } from '@pulso/platform/testing/context';
import { outcome } from '@pulso/platform/testing/outcomes';
import { type Replica, TestService } from '@pulso/platform/testing/test-service';
import { withReplica } from '@pulso/platform/testing/with-replica';
import { GetMe } from '../src/account/get-me.js';
import { SignUp } from '../src/account/sign-up.js';
import { UpdateMe } from '../src/account/update-me.js';
import { ListCoaches } from '../src/directory/list-coaches.js';
import { KnownBlocks } from '../src/projections/known-blocks.js';
import { KnownFigures } from '../src/projections/known-figures.js';
import { KnownSuspensions } from '../src/projections/known-suspensions.js';
import { identity } from '../src/service.js';
import { EndSession } from '../src/session/end-session.js';
import { LogIn } from '../src/session/log-in.js';
import { LogOut } from '../src/session/log-out.js';
import { GetUser } from '../src/user/get-user.js';
import { GetUserByUsername } from '../src/user/get-user-by-username.js';
import { aSignUp, anUpdate, idOf, PASSWORD } from './start.js';

const replicated = withReplica((bus) => TestService.start(identity, rpcContracts.identity, { bus }));
beforeEach(() => replicated.loseSignals());

interface Person {
  id: string;
  username: string;
  sessionId: string;
}

async function signUp(): Promise<Person> {
  const fields = aSignUp();
  const id = idOf(await replicated.service.get(SignUp).execute(fields));
  return { id, username: fields.username, sessionId: await latestSession(id) };
}

async function latestSession(userId: string): Promise<string> {
  const [row] = await replicated.service.rows<{ id: string }>(
    'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
    [userId],
  );
  return row!.id;
}

const as = <T>({ id: userId, sessionId }: Person, run: () => T, after: ConsistencyToken[] = []): T =>
  inContext({ userId, sessionId, expiresAt: Infinity }, run, { after, wrote: (wrote = []) });

/** The tokens of the latest request. */
let wrote: ConsistencyToken[] = [];
const here: Pick<Replica<(typeof rpcContracts.identity)['definition']>['running'], 'get'> = {
  get: (part) => replicated.service.running.get(part),
};

const nameOf = async (person: Person, by = here, after: ConsistencyToken[] = []) =>
  (await as(person, () => by.get(GetMe).execute(), after)).user!.name;
const meets = async (viewer: Person, { id }: Person, by = here, after: ConsistencyToken[] = []) =>
  (await as(viewer, () => by.get(GetUser).execute({ id }), after)).name;
const rename = async (person: Person, name: string) => {
  await as(person, () => replicated.service.get(UpdateMe).execute(anUpdate({ name })));
  return wrote;
};

describe('the kept rows of identity', () => {
  it('show a user their own changes at once, at every replica', async () => {
    const [ana, ben] = [await signUp(), await signUp()];
    for (const by of [here, replicated.other.running]) {
      await nameOf(ana, by);
      await meets(ben, ana, by);
    }
    const after = await rename(ana, 'Ana Another');
    expect([await nameOf(ana), await meets(ben, ana)]).toEqual(['Ana Another', 'Ana Another']);
    expect(await nameOf(ana, replicated.other.running, after)).toBe('Ana Another');
    expect(await meets(ben, ana, replicated.other.running, after)).toBe('Ana Another');
  });

  it('are those of the name’s present owner', async () => {
    const ana = await signUp();
    const find = async (username: string) =>
      (await as(ana, () => replicated.service.get(GetUserByUsername).execute({ username }))).username;
    await find(ana.username);
    const renamed = `${ana.username}-new`;
    await as(ana, () => replicated.service.get(UpdateMe).execute(anUpdate({ username: renamed })));
    expect([await find(ana.username), await find(renamed)]).toEqual([renamed, renamed]);
  });

  it('end with the session, however it ends', async () => {
    const fields = aSignUp();
    const id = idOf(await replicated.service.get(SignUp).execute(fields));
    const another = async (): Promise<Person> => {
      replicated.service.clock.advance(1);
      await replicated.service
        .get(LogIn)
        .execute({ email: fields.email, password: PASSWORD, device: undefined });
      return { id, username: fields.username, sessionId: await latestSession(id) };
    };
    const [first, second] = [await another(), await another()];
    await nameOf(first);
    await nameOf(second);
    await as(first, () => replicated.service.get(EndSession).execute({ id: second.sessionId }));
    expect(await outcome(nameOf(second))).toBe('unauthenticated user-token-expired');
    await as(first, () => replicated.service.get(LogOut).execute({ refreshToken: '' }));
    expect(await outcome(nameOf(first))).toBe('unauthenticated user-token-expired');
  });

  it('end with the account’s suspension', async () => {
    const [ana, ben] = [await signUp(), await signUp()];
    await nameOf(ana);
    await meets(ben, ana);
    const state = UserSuspensionState.fromPartial({ userId: ana.id, suspended: true, version: 1 });
    await replicated.service.get(KnownSuspensions).apply(state, eventOf(userSuspensionTopic, state));
    expect(await outcome(nameOf(ana))).toBe('unauthenticated user-token-expired');
    expect(await outcome(meets(ben, ana))).toBe('not-found not-found');
  });

  it('show nobody to whom they have blocked, at once where the block arrives, and to who knows of it', async () => {
    const [ana, ben] = [await signUp(), await signUp()];
    await meets(ben, ana);
    await meets(ben, ana, replicated.other.running);
    const state = BlockState.fromPartial({
      blockerId: ana.id,
      blockedId: ben.id,
      active: true,
      version: 1,
    });
    await replicated.service.get(KnownBlocks).apply(state, eventOf(blockTopic, state));
    expect(await outcome(meets(ben, ana))).toBe('not-found not-found');
    const after = [{ topic: blockTopic.name, key: blockTopic.keyOf(state), version: 1 }];
    expect(await outcome(meets(ben, ana, replicated.other.running, after))).toBe('not-found not-found');
  });

  it('end where a session expires', async () => {
    const ana = await signUp();
    await nameOf(ana);
    replicated.service.clock.advance(31 * 24 * 60 * 60 * 1000);
    expect(await outcome(nameOf(ana))).toBe('unauthenticated user-token-expired');
  });
});

describe('the kept pages of the directory', () => {
  const listed = async (viewer: Person, by = here, after: ConsistencyToken[] = [], merit = false) => {
    const order = merit ? CoachOrder.COACH_ORDER_MERIT : CoachOrder.COACH_ORDER_UNSPECIFIED;
    const request = ListCoachesRequest.fromPartial({ q: 'Trainer', order });
    const { items } = await as(viewer, () => by.get(ListCoaches).execute(request), after);
    return items.map(({ name }) => name);
  };
  const change = async (person: Person, fields: Parameters<typeof anUpdate>[0]) => {
    await as(person, () => replicated.service.get(UpdateMe).execute(anUpdate(fields)));
    return wrote;
  };

  it('show every change of a coach at once, and to its writer at every replica', async () => {
    const [ana, viewer] = [await signUp(), await signUp()];
    expect([await listed(ana), await listed(ana, replicated.other.running)]).toEqual([[], []]);
    const begun = await change(ana, { name: 'Trainer Ana', isCoach: true });
    expect([await listed(viewer), await listed(ana, replicated.other.running, begun)]).toEqual([
      ['Trainer Ana'],
      ['Trainer Ana'],
    ]);
    const renamed = await change(ana, { name: 'Trainer Another' });
    expect([await listed(viewer), await listed(ana, replicated.other.running, renamed)]).toEqual([
      ['Trainer Another'],
      ['Trainer Another'],
    ]);
    await change(ana, { isCoach: false });
    expect(await listed(viewer)).toEqual([]);
  });

  it('end with a suspension, and with a block for those concerned', async () => {
    const [ana, viewer, third] = [await signUp(), await signUp(), await signUp()];
    await change(ana, { name: 'Trainer Ana', isCoach: true });
    for (const person of [viewer, third]) expect(await listed(person)).toEqual(['Trainer Ana']);
    const block = BlockState.fromPartial({
      blockerId: viewer.id,
      blockedId: ana.id,
      active: true,
      version: 1,
    });
    await replicated.service.get(KnownBlocks).apply(block, eventOf(blockTopic, block));
    expect([await listed(viewer), await listed(third)]).toEqual([[], ['Trainer Ana']]);
    const after = [{ topic: blockTopic.name, key: blockTopic.keyOf(block), version: 1 }];
    expect(await listed(viewer, replicated.other.running, after)).toEqual([]);
    const state = UserSuspensionState.fromPartial({ userId: ana.id, suspended: true, version: 1 });
    await replicated.service.get(KnownSuspensions).apply(state, eventOf(userSuspensionTopic, state));
    expect(await listed(third)).toEqual([]);
  });

  it('follow the figures of coaches', async () => {
    const [ana, ben, viewer] = [await signUp(), await signUp(), await signUp()];
    await change(ana, { name: 'Trainer Ana', isCoach: true });
    await change(ben, { name: 'Trainer Ben', isCoach: true });
    const praise = async ({ id: userId }: Person, ratingSum: number) => {
      const state = UserFiguresState.fromPartial({ userId, ratingSum, reviewCount: 1, version: 1 });
      await replicated.service.get(KnownFigures).apply(state, eventOf(userFiguresTopic, state));
    };
    await praise(ana, 3);
    expect(await listed(viewer, here, [], true)).toEqual(['Trainer Ana', 'Trainer Ben']);
    await praise(ben, 5);
    expect(await listed(viewer, here, [], true)).toEqual(['Trainer Ben', 'Trainer Ana']);
  });
});
