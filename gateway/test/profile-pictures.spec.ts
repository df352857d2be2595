import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { aPost, aUser, anAccount, anAuthor, POST_ID, USER_ID } from './support/fake-clients.js';
import { MEDIA_ID } from './support/fake-media.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const json = async (method: string, path: string, options: Parameters<TestGateway['call']>[2] = {}) => {
  const response = await gateway.call(method, path, options);
  return { status: response.status, body: (await response.json()) as unknown };
};

describe('Me', () => {
  const updates = () =>
    gateway.calls.filter(({ method }) => method === 'updateMe').map(({ request }) => request);
  const picture = { json: { profileImageId: POST_ID } };

  // Rule: MEDIA-6
  it('has a picture by media’s claim, which identity judges', async () => {
    await json('PATCH', '/api/me', picture);
    const claim = gateway.calls.find(({ method }) => method === 'claimForProfile');
    expect(claim?.request).toEqual({ id: POST_ID });
    expect(updates()).toEqual([{ profileImageId: POST_ID, profileImageTicket: 'ticket' }]);
  });

  // Rule: MEDIA-6
  it('lets identity refuse what media does not grant, after its own reasons', async () => {
    const refusal = new DomainError('media-not-attachable', 'This picture cannot be used.');
    gateway.media.claimForProfile = () => Promise.reject(refusal);
    gateway.identity.updateMe = () => Promise.reject(refusal);
    for (const profileImageId of [POST_ID, 'picture']) {
      const { status, body } = await json('PATCH', '/api/me', { json: { profileImageId } });
      expect([status, body]).toMatchObject([422, { code: 'media-not-attachable' }]);
    }
    expect(updates()).toEqual([{ profileImageId: POST_ID }, { profileImageId: 'picture' }]);
    gateway.media.claimForProfile = () => Promise.reject(unavailable());
    expect((await json('PATCH', '/api/me', picture)).status).toBe(503);
  });

  // Rule: MEDIA-6
  it.each([
    'username-taken',
    'email-already-in-use',
    'validation-failed',
    'wrong-password',
    'too-many-renames',
  ] as const)('gives back the claim of a change that identity refuses: %s', async (code) => {
    gateway.identity.updateMe = () => Promise.reject(new DomainError(code, 'Refused'));
    gateway.media.releaseClaim = () => Promise.reject(unavailable());
    const { body } = await json('PATCH', '/api/me', picture);
    expect(body).toMatchObject({ code });
    const released = gateway.calls.filter(({ method }) => method === 'releaseClaim');
    expect(released.map(({ request }) => request)).toEqual([{ ids: [POST_ID], postId: USER_ID }]);
  });

  // Rule: MEDIA-6
  it('keeps the claim where it is not known whether identity has written, and where there is none', async () => {
    gateway.identity.updateMe = () => Promise.reject(unavailable());
    expect((await json('PATCH', '/api/me', picture)).status).toBe(503);
    gateway.identity.updateMe = () => Promise.reject(new DomainError('username-taken', 'Refused'));
    const others = [{ username: 'taken' }, { profileImageId: null }, { profileImageId: 'picture' }];
    for (const change of others) expect((await json('PATCH', '/api/me', { json: change })).status).toBe(409);
    expect(gateway.calls.filter(({ method }) => method === 'releaseClaim')).toEqual([]);
  });

  // Rule: MEDIA-6
  it('shows the picture wherever a user is shown', async () => {
    const profileImageId = MEDIA_ID;
    const profileImage = `/media/${MEDIA_ID}/avatar`;
    gateway.identity.getMe = () => Promise.resolve(anAccount({ user: aUser({ profileImageId }) }));
    gateway.posts.getPost = () => Promise.resolve(aPost({ author: anAuthor({ profileImageId }) }));
    expect((await json('GET', '/api/me')).body).toMatchObject({ profileImage });
    expect((await json('GET', `/api/posts/${POST_ID}`)).body).toMatchObject({ author: { profileImage } });
  });

  // Rule: MEDIA-13
  it('tells the storage, and null for what is used while media is away', async () => {
    const storage = { quotaBytes: 524_288_000, bytesUsed: 310_000 };
    expect(await json('GET', '/api/storage')).toEqual({ status: 200, body: storage });
    gateway.media.getStorage = () => Promise.reject(unavailable());
    expect((await json('GET', '/api/me')).body).toMatchObject({ storage: { ...storage, bytesUsed: null } });
    expect((await json('GET', '/api/storage')).status).toBe(503);
  });
});
