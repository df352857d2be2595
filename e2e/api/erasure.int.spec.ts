import { aLife, type Life } from '../support/a-life.js';
import { tracesOf } from '../support/personal-traces.js';
import { startPulso, type TestPulso } from '../support/start-pulso.js';
import { waitFor } from '../support/wait-for.js';

const PASSWORD = 'correct horse';
/** Events that were published before have a name for 7 days (ACCT-34). */
const isEvent = (where: string) => where.startsWith('bus.');
/** Rows of posts and videos stay as long as their last events are kept, by their ids alone. */
const IDS_OF_MEDIA = new Set(['posts.posts', 'posts.videos', 'media.videos', 'media.known_posts']);

// Rule: ACCT-32, ACCT-33, ACCT-34
describe('an account that is erased', () => {
  let pulso: TestPulso;
  let life: Life;
  beforeAll(async () => {
    pulso = await startPulso();
    life = await aLife(pulso, 'quokka');
  }, 180_000);
  afterAll(() => pulso?.close());

  const erasure = () => pulso.operate('identity', 'erasures', life.ada.userId);
  const isText = (needle: string) => needle.startsWith('quokka') || needle.includes('@');
  const wrong = async () =>
    (await tracesOf([...life.gone, ...life.kept.map(({ needle }) => needle)], pulso)).filter(
      ({ needle, where }) =>
        !isEvent(where) &&
        !life.kept.some((kept) => kept.needle === needle && kept.where === where) &&
        (isText(needle) || !IDS_OF_MEDIA.has(where)),
    );

  it('is found in every service before', async () => {
    const found = await tracesOf([...life.gone, ...life.kept.map(({ needle }) => needle)], pulso);
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
      expect((await life.ada.call('DELETE', '/api/me', { password: PASSWORD })).status).toBe(202);
      expect((await life.ada.get('/api/me')).status).toBe(401);
      const login = await pulso.visitor().post('/api/auth/login', { email: life.email, password: PASSWORD });
      expect([login.status, login.body['code']]).toEqual([401, 'invalid-credential']);
      expect(await erasure()).toMatch(/requested/);
    });
    await waitFor(erasure, (line) => line.includes('complete'), { what: 'the end of the erasure' });
  });

  it('leaves nothing but what others have answered, and its name for 90 days', async () => {
    await waitFor(wrong, (found) => found.length === 0, { what: 'nothing of the erased' });
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
