import { notFound, unavailable } from '@pulso/platform/errors/domain-error';
import { gate } from '@pulso/platform/testing/gate';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import {
  aComment,
  anAccount,
  anAuthor,
  aPost,
  aUser,
  OTHER_ID,
  POST_ID,
  TIME,
  USER_ID,
  encodedPage,
} from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const time = new Date(TIME).toISOString();

const userRef = {
  id: USER_ID,
  name: 'Ana Torres',
  username: 'ana-torres',
  profileImage: '/api/avatars/A.svg',
  isCoach: true,
};

const noFlags = {
  ...{ following: false, followsYou: false, subscribed: false, subscription: null },
  ...{ reviewed: false, blocked: false },
};

const profile = {
  ...userRef,
  bio: 'Strength for busy people.',
  specialties: ['Yoga'],
  subscriptionPrice: 400.5,
  subscriptionCurrency: 'MXN',
  createdAt: time,
  stats: { posts: 2, followers: 48, following: 7, subscribers: 3, likes: 5, comments: 1 },
  rating: { averageRating: 4.7, totalReviews: 9 },
  viewer: { isSelf: true, ...noFlags },
};

const me = {
  ...profile,
  email: 'ana@example.com',
  pendingEmail: null,
  emailVerified: false,
  hasPassword: true,
  language: 'es',
  emails: { subscriptions: true, security: false },
  storage: { quotaBytes: 524_288_000, bytesUsed: 310_000 },
};

const post = {
  id: POST_ID,
  author: { ...userRef, subscriptionPrice: 400.5, subscriptionCurrency: 'MXN' },
  content: 'First session done!',
  truncated: false,
  images: [],
  imageCount: 0,
  video: null,
  hasVideo: false,
  visibility: 'public',
  likeCount: 3,
  likedByViewer: true,
  commentCount: 1,
  createdAt: time,
  updatedAt: time,
  editedAt: null,
  locked: false,
  permissions: { edit: true, delete: true, like: true, comment: true },
};

const json = async (method: string, path: string, options?: object) => {
  const response = await gateway.call(method, path, options);
  return { status: response.status, body: (await response.json()) as unknown };
};

describe('Profile', () => {
  it('is put together from identity, posts, social and billing', async () => {
    expect(await json('GET', `/api/users/${USER_ID}`)).toEqual({ status: 200, body: profile });
    expect(await json('GET', '/api/users/by-username/%20ANA-Torres')).toEqual({ status: 200, body: profile });
  });

  // Rule: PEOPLE-3
  it('has no viewer for visitors, and their own for others', async () => {
    const visitor = await json('GET', `/api/users/${USER_ID}`, { token: null });
    expect(visitor.body).toEqual({ ...profile, viewer: null });
    const other = await json('GET', `/api/users/${USER_ID}`, { token: await gateway.tokenFor(OTHER_ID) });
    expect(other.body).toEqual({ ...profile, viewer: { isSelf: false, ...noFlags } });
  });

  // Rule: PEOPLE-2
  it('shows null for the numbers of a service that is down', async () => {
    gateway.posts.getUsersStats = () => Promise.reject(unavailable());
    const { status, body } = await json('GET', `/api/users/${USER_ID}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ stats: { posts: null, likes: null, comments: null, followers: 48 } });
  });

  it('is 503 without identity and 404 for the unknown', async () => {
    gateway.identity.getUser = () => Promise.reject(unavailable());
    expect((await json('GET', `/api/users/${USER_ID}`)).status).toBe(503);
    gateway.identity.getUser = () => Promise.reject(notFound());
    expect((await json('GET', `/api/users/${USER_ID}`)).status).toBe(404);
  });

  it('is that of nobody once deleted, and without a price unless one is set', async () => {
    gateway.identity.getUser = () =>
      Promise.resolve(
        aUser({
          name: 'Deleted user',
          username: '',
          subscriptionPriceMinor: undefined,
          subscriptionCurrency: '',
        }),
      );
    const { body } = await json('GET', `/api/users/${USER_ID}`);
    expect(body).toMatchObject({
      username: null,
      profileImage: '/api/avatars/D.svg',
      subscriptionPrice: null,
      subscriptionCurrency: null,
    });
  });
});

describe('Me', () => {
  it('adds the account', async () => {
    expect(await json('GET', '/api/me')).toEqual({ status: 200, body: me });
    gateway.identity.getMe = () => Promise.resolve(anAccount({ pendingEmail: 'new@example.com' }));
    expect((await json('GET', '/api/me')).body).toMatchObject({ pendingEmail: 'new@example.com' });
  });

  // Rule: HTTP-9
  it('passes on only what a PATCH names, cleaned', async () => {
    const change = { name: ' Ana ', specialties: ['Yoga', ' Yoga', ''], subscriptionPrice: 0.5 };
    expect(await json('PATCH', '/api/me', { json: change })).toEqual({ status: 200, body: me });
    await json('PATCH', '/api/me', { json: { subscriptionPrice: null, profileImageId: null } });
    await json('PATCH', '/api/me', { json: { language: 'es', emails: { security: false } } });
    await json('PATCH', '/api/me', { json: {} });
    const asked = gateway.calls.filter(({ method }) => method === 'updateMe').map(({ request }) => request);
    expect(asked).toEqual([
      { name: 'Ana', specialties: { values: ['Yoga', 'Yoga', ''] }, subscriptionPriceMinor: { value: 50 } },
      { subscriptionPriceMinor: { value: undefined }, profileImageId: '' },
      { language: 'es', emails: { security: false } },
      {},
    ]);
  });
});

describe('Session', () => {
  const account = {
    email: ' Ana@Example.com ',
    password: ' pass word ',
    name: 'Ana Torres',
    username: 'Ana-Torres',
  };

  it('answers sign-up with Me, whose numbers are zero without asking', async () => {
    const { status, body } = await json('POST', '/api/auth/signup', { token: null, json: account });
    const stats = { posts: 0, followers: 0, following: 0, subscribers: 0, likes: 0, comments: 0 };
    const storage = { ...me.storage, bytesUsed: 0 };
    const user = { ...me, stats, rating: { averageRating: 0, totalReviews: 0 }, storage };
    expect([status, body]).toEqual([201, { accessToken: gateway.token, expiresIn: 600, user }]);
    expect(gateway.calls.find(({ method }) => method === 'signUp')?.request).toMatchObject({
      email: 'ana@example.com',
      password: ' pass word ',
      username: 'ana-torres',
      isCoach: false,
      bio: '',
      specialties: [],
      device: { address: '127.0.0.1' },
      language: 'en',
    });
    const asked = gateway.calls.map(({ method }) => method);
    expect(asked.filter((method) => /Stats|Relations|Standings/.test(method))).toEqual([]);
  });

  // Rule: HTTP-37
  it.each([
    ['login', { json: { email: 'ana@example.com', password: 'x' } }],
    ['refresh', { headers: { cookie: '__Host-pulso_refresh=one' } }],
  ])('answers a %s with Me without figures, asking identity alone', async (call, options) => {
    const asked: string[] = [];
    const first = gate('a question to another service');
    const over = gate('the end of the test');
    const unanswered = (question: string) => async (): Promise<never> => {
      asked.push(question);
      first.open();
      await over.opened;
      throw unavailable();
    };
    gateway.posts.getUsersStats = unanswered('getUsersStats');
    gateway.social.getRelations = unanswered('getRelations');
    gateway.media.getStorage = unanswered('getStorage');
    gateway.billing.getStandings = unanswered('getStandings');
    const none = Object.fromEntries(Object.keys(me.stats).map((name) => [name, null]));
    const user = {
      ...me,
      stats: none,
      rating: { averageRating: null, totalReviews: null },
      storage: { ...me.storage, bytesUsed: null },
    };
    const body = { accessToken: gateway.token, expiresIn: 600, user };
    const answer = json('POST', `/api/auth/${call}`, { token: null, ...options });
    await Promise.race([answer, first.opened]);
    expect(asked).toEqual([]);
    expect(await answer).toEqual({ status: 200, body });
  });
});

describe('Post', () => {
  it('has the same shape alone, in lists and when written', async () => {
    expect(await json('GET', `/api/posts/${POST_ID}`)).toEqual({ status: 200, body: post });
    const page = { status: 200, body: { items: [post], nextCursor: 'k.next.mac' } };
    expect(await json('GET', '/api/feed')).toEqual(page);
    expect(await json('GET', `/api/users/${USER_ID}/posts`)).toEqual(page);
    expect(await json('POST', '/api/posts', { json: { content: ' Hello ' } })).toEqual({
      status: 201,
      body: { ...post, content: 'Hello' },
    });
    expect(await json('PATCH', `/api/posts/${POST_ID}`, { json: { content: 'x' } })).toEqual({
      status: 200,
      body: { ...post, editedAt: time },
    });
  });

  it('survives any text in a list', async () => {
    const content = '"quotes" \\ \n\t ☕ 💪🏽 \u2028 </script>';
    const name = '"Ana" \\ 💪';
    gateway.posts.getFeed = () =>
      Promise.resolve(
        encodedPage({ items: [aPost({ content, author: anAuthor({ name }) })], nextCursor: '' }),
      );
    const { body } = await json('GET', '/api/feed');
    expect(body).toEqual({
      items: [{ ...post, content, author: { ...post.author, name } }],
      nextCursor: null,
    });
  });

  it('is locked for those without access', async () => {
    const locked = { locked: true, truncated: true, hasVideo: true, permissions: undefined };
    gateway.posts.getPost = () =>
      Promise.resolve(aPost({ ...locked, visibility: Visibility.VISIBILITY_SUBSCRIBERS }));
    expect((await json('GET', `/api/posts/${POST_ID}`, { token: null })).body).toMatchObject({
      locked: true,
      truncated: true,
      visibility: 'subscribers',
      images: [],
      video: null,
      hasVideo: true,
      permissions: { edit: false, delete: false, like: false, comment: false },
    });
  });

  it('asks for what the query says', async () => {
    await json('GET', '/api/feed?limit=100&unknown=x');
    await json('GET', '/api/feed');
    const asked = gateway.calls.filter(({ method }) => method === 'getFeed').map(({ request }) => request);
    expect(asked).toEqual([
      { limit: 100, cursor: '' },
      { limit: 20, cursor: '' },
    ]);
  });

  it('is liked and deleted', async () => {
    for (const method of ['PUT', 'DELETE']) {
      expect(await json(method, `/api/posts/${POST_ID}/like`)).toEqual({
        status: 200,
        body: { liked: true, likeCount: 4 },
      });
    }
    const gone = await gateway.call('DELETE', `/api/posts/${POST_ID}`);
    expect([gone.status, await gone.text()]).toEqual([204, '']);
  });
});

describe('Comment', () => {
  const { id, postId } = aComment();
  const comment = {
    id,
    postId,
    author: userRef,
    content: 'Well done!',
    likeCount: 0,
    likedByViewer: false,
    createdAt: time,
    updatedAt: time,
  };

  it('has the same shape in lists and when written', async () => {
    expect(await json('GET', `/api/posts/${POST_ID}/comments`)).toEqual({
      status: 200,
      body: { items: [comment], nextCursor: null },
    });
    expect(await json('POST', `/api/posts/${POST_ID}/comments`, { json: { content: 'Hi' } })).toEqual({
      status: 201,
      body: { ...comment, content: 'Hi' },
    });
    expect((await gateway.call('DELETE', `/api/comments/${id}`)).status).toBe(204);
    expect((await json('PUT', `/api/comments/${id}/like`)).body).toEqual({ liked: true, likeCount: 4 });
  });
});

describe('the rest', () => {
  // Rule: HTTP-29, UI-13
  it('tells the configuration', async () => {
    expect((await json('GET', '/api/config', { token: null })).body).toEqual({
      google: false,
      openidName: 'Google',
      payments: 'none',
      minimumPrice: { MXN: 0, USD: 0 },
      marketing: { professionals: '500+', topCoachEarnings: '5k+' },
    });
  });

  it('draws initials for any letter, and a figure without one', async () => {
    for (const letter of ['A', '7', 'Ñ', 'Ж', '漢', '-']) {
      const response = await gateway.call('GET', `/api/avatars/${encodeURIComponent(letter)}.svg`, {
        token: null,
      });
      expect([letter, response.status, response.headers.get('content-type')]).toEqual([
        letter,
        200,
        'image/svg+xml; charset=utf-8',
      ]);
    }
    for (const letter of ['a', 'AB', '<', '%26', '💪']) {
      const response = await gateway.call('GET', `/api/avatars/${letter}.svg`, { token: null });
      expect([letter, response.status]).toEqual([letter, 404]);
    }
  });
});

// Rule: HTTP-14, PEOPLE-29
describe('the text of a refusal', () => {
  const detail = async (method: string, path: string, sent: object) =>
    ((await json(method, path, { json: sent })).body as { detail: string }).detail;

  it('of a review is the product’s, also where a field is absent or of the wrong type', async () => {
    const path = `/api/coaches/${USER_ID}/reviews/mine`;
    const rating = 'Please select a rating between 1 and 5 stars';
    for (const wrong of [{}, { rating: null }, { rating: '5' }, { rating: 0 }, { rating: 4.5 }]) {
      expect([wrong, await detail('PUT', path, { comment: 'x', ...wrong })]).toEqual([wrong, rating]);
    }
    const comment = 'Please write a comment for your review';
    expect(await detail('PUT', path, { rating: 5 })).toBe(comment);
    expect(await detail('PUT', path, { rating: 5, comment: 1 })).toBe('Must be of type string');
    expect(await detail('POST', `/api/posts/${POST_ID}/comments`, {})).toBe('Please write a comment.');
    expect(await detail('POST', '/api/auth/login', {})).toBe('Email is required');
  });

  it('of too many pictures is that of publishing or of editing', async () => {
    const images = Array.from({ length: 12 }, () => ({ id: POST_ID }));
    expect(await detail('POST', '/api/posts', { images })).toBe('Too many files. Maximum: 10 images');
    expect(await detail('PATCH', `/api/posts/${POST_ID}`, { images })).toBe(
      'Too many images. Maximum 10 images allowed. You currently have 12.',
    );
  });
});
