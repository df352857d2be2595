import { aLife, type Life } from '../support/a-life.js';
import { PASSWORD } from '../support/api-client.js';
import { erase, erasureOf, needlesOf, untilErased, untilNothingInStores } from '../support/erasures.js';
import { tracesOf } from '../support/personal-traces.js';
import { startPulso, type TestPulso } from '../support/start-pulso.js';

// Rule: ACCT-32, ACCT-33, ACCT-34
describe('an account that is erased', () => {
  let pulso: TestPulso;
  let life: Life;
  beforeAll(async () => {
    pulso = await startPulso();
    life = await aLife(pulso, 'quokka');
  }, 180_000);
  afterAll(() => pulso?.close());

  it('is found in every service before', async () => {
    const found = await tracesOf(needlesOf([life]), pulso);
    const needles = new Set(found.map(({ needle }) => needle));
    expect(life.gone.filter((needle) => !needles.has(needle))).toEqual([]);
    const places = new Set(found.map(({ where }) => where.split('.')[0]));
    expect([...places]).toEqual(
      expect.arrayContaining(['identity', 'social', 'posts', 'media', 'messaging', 'billing', 'objects']),
    );
    const pairs = new Set(found.map(({ needle, where }) => `${needle} in ${where}`));
    for (const { needle } of life.kept)
      expect(
        life.kept.some((kept) => kept.needle === needle && pairs.has(`${needle} in ${kept.where}`)),
      ).toBe(true);
  });

  it('goes on when the password is wrong', async () => {
    expect(await life.ada.call('DELETE', '/api/me', { password: 'something else' })).toMatchObject({
      status: 403,
      body: { code: 'wrong-password' },
    });
    expect((await life.ada.get('/api/me')).status).toBe(200);
  });

  it('is over at once, and complete when a service that was away is back', async () => {
    await pulso.without('social', async () => {
      await erase(life, 0);
      expect((await life.ada.get('/api/me')).status).toBe(401);
      const login = await pulso.visitor().post('/api/auth/login', { email: life.email, password: PASSWORD });
      expect([login.status, login.body['code']]).toEqual([401, 'invalid-credential']);
      expect(await erasureOf(pulso, life)).toMatch(/requested/);
    });
    await untilErased(pulso, life);
  });

  it('leaves nothing but what others have answered, and its name for 90 days', async () => {
    await untilNothingInStores([life], pulso);
  });

  it('frees the address, and not the name', async () => {
    const again = { name: 'Somebody else', password: PASSWORD };
    const signUp = (fields: object) => pulso.visitor().post('/api/auth/signup', { ...again, ...fields });
    expect(await signUp({ email: 'other@example.test', username: life.ada.username })).toMatchObject({
      status: 409,
      body: { code: 'username-taken' },
    });
    expect((await signUp({ email: life.email, username: 'not-ada' })).status).toBe(201);
  });
});
