import {
  Account,
  GetUserRequest,
  LogOutRequest,
  LogOutResponse,
  Session,
  SignUpRequest,
  UpdateMeRequest,
  User,
} from '@pulso/contracts/identity/v1/identity';
import { MAX_MESSAGE_BYTES } from '../../src/rpc/service-definition.js';
import { errorOf, startEcho, transports, type EchoFixture } from './echo-fixture.js';
import type { Behaviour } from './echo-service.js';

describe.each(transports)('messages over $kind', ({ make }) => {
  const behaviour: Partial<Behaviour> = {};
  let fixture: EchoFixture;

  beforeAll(async () => {
    fixture = await startEcho(make(), {
      getUser: (request) => behaviour.getUser!(request),
      updateMe: (request) => behaviour.updateMe!(request),
      signUp: (request) => behaviour.signUp!(request),
    });
  });

  afterAll(() => fixture?.stop());

  it('carry values of every kind', async () => {
    const user = User.create({
      id: '0191',
      name: 'Ñandú 👩‍💻 \u0000 "quoted"\n',
      isCoach: true,
      specialties: ['a', '', 'c'],
      subscriptionPriceMinor: 0,
      createdAt: Number.MAX_SAFE_INTEGER,
    });
    const request = UpdateMeRequest.create({
      name: '',
      specialties: { values: ['x'] },
      bio: 'bio',
      isCoach: false,
    });
    let seen: unknown;
    behaviour.updateMe = (received) => {
      seen = received;
      return Account.create({ user, email: 'a@b.c' });
    };
    expect(await fixture.client.updateMe(request)).toEqual(Account.create({ user, email: 'a@b.c' }));
    expect(seen).toEqual(request);
  });

  it('distinguish an absent value from a default one', async () => {
    behaviour.updateMe = ({ name, bio, specialties, subscriptionPriceMinor }) =>
      Account.create({
        email: JSON.stringify([name ?? null, bio ?? null, specialties, subscriptionPriceMinor]),
      });
    const request = UpdateMeRequest.create({
      name: '',
      specialties: { values: [] },
      subscriptionPriceMinor: {},
    });
    const { email, user } = await fixture.client.updateMe(request);
    expect(JSON.parse(email)).toEqual(['', null, { values: [] }, {}]);
    expect(user).toBeUndefined();
  });

  it('fill in defaults', async () => {
    behaviour.getUser = () => User.create({ id: 'only' });
    behaviour.signUp = (request) => Session.create({ accessToken: JSON.stringify(request) });
    expect(await fixture.client.getUser(GetUserRequest.create())).toEqual({
      id: 'only',
      name: '',
      username: '',
      profileImageId: '',
      isCoach: false,
      bio: '',
      specialties: [],
      subscriptionCurrency: '',
      createdAt: 0,
    });
    const { accessToken } = await fixture.client.signUp(SignUpRequest.create({ email: 'e' }));
    expect(JSON.parse(accessToken)).toEqual({
      email: 'e',
      password: '',
      name: '',
      username: '',
      isCoach: false,
      bio: '',
      specialties: [],
      language: '',
    });
  });

  it('leave out fields that the contract does not declare', async () => {
    let seen: object = {};
    behaviour.getUser = (request) => {
      seen = request;
      return { ...User.create({ id: request.id }), passwordHash: 'hush' };
    };
    const user = await fixture.client.getUser({ id: 'a', admin: true } as GetUserRequest);
    expect(Object.keys(seen)).toEqual(['id']);
    expect(user).toEqual(User.create({ id: 'a' }));
  });

  it('share no object between the two sides', async () => {
    const kept = User.create({ specialties: ['a'] });
    behaviour.getUser = () => kept;
    const first = await fixture.client.getUser({ id: 'a' });
    first.specialties.push('b');
    expect(kept.specialties).toEqual(['a']);
    expect(await fixture.client.getUser({ id: 'a' })).toEqual(kept);
  });

  it('may be empty', async () => {
    expect(await fixture.client.logOut(LogOutRequest.create())).toEqual(LogOutResponse.create());
  });

  describe('of 4 MiB', () => {
    /** Tag and length of a long string field take 5 bytes. */
    const largest = 'a'.repeat(MAX_MESSAGE_BYTES - 5);

    it('pass in both directions', async () => {
      behaviour.signUp = ({ bio }) => Session.create({ refreshToken: bio });
      const { refreshToken } = await fixture.client.signUp(SignUpRequest.create({ bio: largest }));
      expect(refreshToken.length).toBe(largest.length);
    });

    it('and a byte are too large for a request', async () => {
      behaviour.signUp = () => {
        throw new Error('must not be reached');
      };
      const error = await errorOf(() => fixture.client.signUp(SignUpRequest.create({ bio: `${largest}a` })));
      expect(error).toMatchObject({ kind: 'payload-too-large', code: 'payload-too-large' });
    });

    it('and a byte are an internal error in an answer', async () => {
      behaviour.signUp = () => Session.create({ refreshToken: `${largest}a` });
      const error = await errorOf(() => fixture.client.signUp(SignUpRequest.create()));
      expect(error).toMatchObject({ kind: 'internal', code: 'internal' });
      expect(fixture.logs.at(-1)).toContain('EchoService/signUp answered 4194305 bytes');
    });
  });
});
