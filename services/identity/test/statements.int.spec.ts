import { CoachOrder, ListCoachesRequest } from '@pulso/contracts/identity/v1/identity';
import { jest } from '@jest/globals';
import pg from 'pg';
import { GetMe } from '../src/account/get-me.js';
import { ListCoaches } from '../src/directory/list-coaches.js';
import { ListSessions } from '../src/session/list-sessions.js';
import { DirectoryRows } from '../src/store/directory-rows.js';
import { IdentityRows } from '../src/store/identity-rows.js';
import { GetUser } from '../src/user/get-user.js';
import { GetUserByUsername } from '../src/user/get-user-by-username.js';
import { GetUsers } from '../src/user/get-users.js';
import { Identity, type SignedIn } from './start.js';

let identity: Identity;
let coach: SignedIn;
let viewer: SignedIn;

beforeAll(async () => {
  identity = await Identity.start();
  coach = await identity.signUp({ isCoach: true, specialties: ['Boxing'] });
  await identity.signUp({ isCoach: true });
  viewer = await identity.signUp();
});
afterAll(() => identity?.stop());

/** The statements about identity's own rows that a call of the viewer runs. */
async function statementsOf(call: () => Promise<unknown>): Promise<string[]> {
  const asked = jest.spyOn(pg.Client.prototype, 'query');
  try {
    // `as` looks the session up first.
    let before = 0;
    await identity.as(viewer, () => {
      before = asked.mock.calls.length;
      return call();
    });
    const texts = asked.mock.calls.slice(before).map(([query]) => {
      const given = query as unknown as string | { text: string };
      return typeof given === 'string' ? given : given.text;
    });
    // The relay and the bus run beside it.
    return texts.filter((text) => /\b(users|sessions|usernames|known_blocks)\b/.test(text));
  } finally {
    asked.mockRestore();
  }
}

const coaches = (fields: Partial<ListCoachesRequest>) => () =>
  identity.get(ListCoaches).execute(ListCoachesRequest.fromPartial(fields));

const CALLS: readonly [string, number, () => Promise<unknown>][] = [
  ['the caller’s account', 1, () => identity.get(GetMe).execute()],
  ['a profile', 1, () => identity.get(GetUser).execute({ id: coach.user.id })],
  [
    'a profile by username',
    1,
    () => identity.get(GetUserByUsername).execute({ username: coach.user.username }),
  ],
  ['several users', 1, () => identity.get(GetUsers).execute({ ids: [coach.user.id, viewer.user.id] })],
  ['the directory', 1, coaches({})],
  ['a search of a small directory', 1, coaches({ q: 'person' })],
  ['a search that finds nobody', 1, coaches({ q: 'nobody' })],
  ['a specialty', 1, coaches({ specialty: 'Boxing' })],
  ['a search by merit', 1, coaches({ q: 'person', order: CoachOrder.COACH_ORDER_MERIT })],
  ['the caller’s devices', 2, () => identity.get(ListSessions).execute()],
];

/** Calls whose second answer comes from memory. */
const KEPT = CALLS.slice(0, 9);

const forget = () => {
  identity.get(IdentityRows).allChanged();
  identity.get(DirectoryRows).allChanged();
};

describe('the statements of a call', () => {
  it.each(KEPT)('%s: none the second time', async (_name, count, call) => {
    // Nothing from the tests before.
    forget();
    expect(await statementsOf(call)).toHaveLength(count);
    expect(await statementsOf(call)).toEqual([]);
  });

  it('a user of many whom another call has read: from memory; one among many who is not: one for those alone', async () => {
    forget();
    await statementsOf(() => identity.get(GetUser).execute({ id: coach.user.id }));
    expect(await statementsOf(() => identity.get(GetUsers).execute({ ids: [coach.user.id] }))).toEqual([]);
    const ids = [coach.user.id, viewer.user.id];
    expect(await statementsOf(() => identity.get(GetUsers).execute({ ids }))).toHaveLength(1);
  });

  it('a later page of the directory: one each time', async () => {
    const { nextCursor: cursor } = await identity.as(viewer, coaches({ limit: 1 }));
    if (cursor === '') throw new Error('there is no second page');
    for (let time = 0; time < 2; time += 1)
      expect(await statementsOf(coaches({ limit: 1, cursor }))).toHaveLength(1);
  });

  it.each(CALLS)('%s: %i', async (_name, count, call) => {
    forget();
    const statements = await statementsOf(call);
    expect(statements).toHaveLength(count);
  });
});
