import { DomainError, unavailable, validationFailed } from '@pulso/platform/errors/domain-error';
import { ReportReason, ReportSubject } from '@pulso/contracts/social/v1/social';
import {
  aRelation,
  aReview,
  aUser,
  OTHER_ID,
  POST_ID,
  REVIEW_ID,
  TIME,
  USER_ID,
} from './support/fake-clients.js';
import { type CallOptions, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const json = async (method: string, path: string, options?: CallOptions) => {
  const response = await gateway.call(method, path, options);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const requests = (method: string) =>
  gateway.calls.filter((call) => call.method === method).map(({ request }) => request);

const time = new Date(TIME).toISOString();

const ben = {
  id: OTHER_ID,
  name: 'Ben Ortiz',
  username: 'ben-ortiz',
  profileImage: '/api/avatars/B.svg',
  isCoach: false,
};

const review = {
  id: REVIEW_ID,
  coachId: USER_ID,
  reviewer: ben,
  reviewerName: 'Ben Ortiz',
  reviewerImage: '/api/avatars/B.svg',
  verifiedSubscriber: true,
  rating: 5,
  comment: 'Patient, clear, and it works.',
  createdAt: time,
  updatedAt: time,
};

const socialIsDown = () => {
  const down = () => Promise.reject(unavailable());
  Object.assign(
    gateway.social,
    Object.fromEntries(Object.keys(gateway.social).map((method) => [method, down])),
  );
};

describe('Profile', () => {
  // Rule: PEOPLE-3
  it('says how the viewer and the user stand to each other', async () => {
    const flags = { following: true, followsYou: true, reviewed: true, blocked: false };
    gateway.social.getRelations = () => Promise.resolve({ relations: [aRelation(flags)] });
    const token = await gateway.tokenFor(OTHER_ID);
    for (const path of [`/api/users/${USER_ID}`, '/api/users/by-username/ana-torres']) {
      const { body } = await json('GET', path, { token });
      expect(body.viewer).toEqual({ isSelf: false, subscribed: false, subscription: null, ...flags });
    }
  });

  it('is not found by those whom the user has blocked, and keeps its head for those who block the user', async () => {
    const token = await gateway.tokenFor(OTHER_ID);
    gateway.social.getRelations = () => Promise.resolve({ relations: [aRelation({ blockedBy: true })] });
    for (const path of [`/api/users/${USER_ID}`, '/api/users/by-username/ana-torres']) {
      expect(await json('GET', path, { token })).toMatchObject({
        status: 404,
        body: { code: 'not-found', detail: 'User not found' },
      });
    }
    gateway.social.getRelations = () => Promise.resolve({ relations: [aRelation({ blocked: true })] });
    const { status, body } = await json('GET', `/api/users/${USER_ID}`, { token });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ name: 'Ana Torres', viewer: expect.objectContaining({ blocked: true }) }),
    ]);
  });

  it('shows null for what only social knows while it is down, alike in the directory and in Me', async () => {
    socialIsDown();
    const unknown = {
      stats: { posts: 2, followers: null, following: null, subscribers: 3, likes: 5, comments: 1 },
      rating: { averageRating: null, totalReviews: null },
      viewer: { following: null, followsYou: null, subscribed: false, reviewed: null, blocked: null },
    };
    for (const path of [`/api/users/${USER_ID}`, '/api/users/by-username/ana-torres', '/api/me']) {
      expect(await json('GET', path)).toMatchObject({ status: 200, body: unknown });
    }
    const directory = await json('GET', '/api/coaches');
    expect(directory).toMatchObject({ status: 200, body: { items: [unknown] } });
    for (const path of ['/api/feed', `/api/posts/${POST_ID}`, `/api/users/${USER_ID}/posts`]) {
      expect((await json('GET', path)).status).toBe(200);
    }
  });

  it('is not held up by services that are slow', async () => {
    const given: (number | undefined)[] = [];
    gateway.social.getRelations = (_request, options) => {
      given.push(options?.deadlineMs);
      return Promise.reject(new DomainError('unavailable', 'This took too long.'));
    };
    expect(await json('GET', `/api/users/${USER_ID}`)).toMatchObject({
      status: 200,
      body: { stats: { followers: null, posts: 2 } },
    });
    expect(given).toEqual([2_000]);
  });
});

it('answers 503 with a clear text to social’s own calls while it is down', async () => {
  socialIsDown();
  const review = { rating: 5, comment: 'Good' };
  const report = { subjectType: 'user', subjectId: OTHER_ID, reason: 'spam' };
  const calls: [string, string, unknown?][] = [
    ['PUT', `/api/users/${OTHER_ID}/follow`],
    ['DELETE', `/api/users/${OTHER_ID}/follow`],
    ['PUT', `/api/users/${OTHER_ID}/block`],
    ['DELETE', `/api/users/${OTHER_ID}/block`],
    ['GET', `/api/users/${OTHER_ID}/followers`],
    ['GET', `/api/users/${OTHER_ID}/following`],
    ['GET', '/api/me/blocks'],
    ['GET', `/api/coaches/${OTHER_ID}/reviews`],
    ['PUT', `/api/coaches/${OTHER_ID}/reviews/mine`, review],
    ['DELETE', `/api/coaches/${OTHER_ID}/reviews/mine`],
    ['POST', '/api/reports', report],
  ];
  for (const [method, path, body] of calls) {
    const answer = await gateway.call(method, path, { json: body });
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '1']);
    expect(await answer.json()).toMatchObject({
      code: 'unavailable',
      detail: 'This part of Pulso is not available right now. Please try again.',
    });
  }
});

describe('follows and blocks', () => {
  it('follows, unfollows and lists', async () => {
    expect(await json('PUT', `/api/users/${OTHER_ID}/follow`)).toEqual({
      status: 200,
      body: { following: true, followerCount: 49 },
    });
    expect(await json('DELETE', `/api/users/${OTHER_ID}/follow`)).toEqual({
      status: 200,
      body: { following: false, followerCount: 48 },
    });
    for (const list of ['followers', 'following']) {
      expect(await json('GET', `/api/users/${USER_ID}/${list}?limit=3`, { token: null })).toEqual({
        status: 200,
        body: { items: [{ ...ben, viewer: null }], nextCursor: 'k.next.mac' },
      });
      expect((await json('GET', `/api/users/${USER_ID}/${list}`)).body).toMatchObject({
        items: [{ ...ben, viewer: { isSelf: false, following: expect.any(Boolean) } }],
      });
    }
    expect(requests('listFollowing')[0]).toEqual({ userId: USER_ID, limit: 3, cursor: '' });
  });

  it('blocks, unblocks and lists', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const answer = await gateway.call(method, `/api/users/${OTHER_ID}/block`);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(answer.headers.get('pulso-after')).toEqual(expect.any(String));
    }
    expect([requests('blockUser'), requests('unblockUser')]).toEqual([
      [{ userId: OTHER_ID }],
      [{ userId: OTHER_ID }],
    ]);
    expect((await json('GET', '/api/me/blocks')).body).toEqual({ items: [ben], nextCursor: 'k.next.mac' });
  });
});

describe('reviews', () => {
  const path = `/api/coaches/${USER_ID}/reviews`;

  // Rule: PEOPLE-31
  it('are listed with their summary and the viewer’s own', async () => {
    const summary = { averageRating: 4.7, totalReviews: 9 };
    const page = { items: [review], nextCursor: 'k.next.mac', summary };
    expect(await json('GET', path, { token: null })).toEqual({ status: 200, body: { ...page, mine: null } });
    gateway.social.listReviews = () =>
      Promise.resolve({ items: [], nextCursor: '', summary, mine: aReview({ rating: 3 }) });
    expect((await json('GET', path)).body).toEqual({
      items: [],
      nextCursor: null,
      summary,
      mine: { ...review, rating: 3 },
    });
  });

  it('are 201 the first time and 200 after', async () => {
    const given = { rating: 4, comment: '  Good ☕  ' };
    const written = { ...review, rating: 4, comment: 'Good ☕' };
    expect(await json('PUT', `${path}/mine`, { json: given })).toEqual({ status: 201, body: written });
    gateway.social.putReview = ({ rating, comment }) =>
      Promise.resolve({ review: aReview({ rating, comment }), created: false });
    expect(await json('PUT', `${path}/mine`, { json: given })).toEqual({ status: 200, body: written });
    expect((await gateway.call('DELETE', `${path}/mine`)).status).toBe(204);
  });

  it('carry the Idempotency-Key, and are refused in the words of PEOPLE-29', async () => {
    const headers = { 'idempotency-key': 'once' };
    await json('PUT', `${path}/mine`, { json: { rating: 4, comment: 'Good' }, headers });
    expect(requests('putReview')).toEqual([
      {
        coachId: USER_ID,
        rating: 4,
        comment: 'Good',
        idempotency: { key: 'once', scope: `PUT ${path}/mine`, bodyHash: expect.any(String) },
      },
    ]);
    const texts: [object, string][] = [
      [{ rating: 0, comment: 'x' }, 'Please select a rating between 1 and 5 stars'],
      [{ rating: 4.5, comment: 'x' }, 'Please select a rating between 1 and 5 stars'],
      [{ rating: 5 }, 'Please write a comment for your review'],
    ];
    for (const [body, detail] of texts) {
      expect(await json('PUT', `${path}/mine`, { json: body })).toMatchObject({
        status: 400,
        body: { detail },
      });
    }
  });
});

describe('reports', () => {
  // Rule: PEOPLE-34
  it('are taken for every kind of subject and reason', async () => {
    const reports: [string, ReportSubject, string, ReportReason][] = [
      ['user', ReportSubject.REPORT_SUBJECT_USER, 'spam', ReportReason.REPORT_REASON_SPAM],
      ['post', ReportSubject.REPORT_SUBJECT_POST, 'harassment', ReportReason.REPORT_REASON_HARASSMENT],
      ['comment', ReportSubject.REPORT_SUBJECT_COMMENT, 'nudity', ReportReason.REPORT_REASON_NUDITY],
      ['message', ReportSubject.REPORT_SUBJECT_MESSAGE, 'danger', ReportReason.REPORT_REASON_DANGER],
      ['user', ReportSubject.REPORT_SUBJECT_USER, 'other', ReportReason.REPORT_REASON_OTHER],
    ];
    for (const [subjectType, , reason] of reports) {
      const body = { subjectType, subjectId: OTHER_ID, reason, note: ' x ' };
      const answer = await gateway.call('POST', '/api/reports', { json: body });
      expect([answer.status, await answer.text()]).toEqual([202, '']);
    }
    expect(requests('createReport')).toEqual(
      reports.map(([, subjectType, , reason]) => ({ subjectType, subjectId: OTHER_ID, reason, note: 'x' })),
    );
  });

  it('of an id that cannot be one are 404', async () => {
    const body = { subjectType: 'user', subjectId: 'nobody', reason: 'spam' };
    expect(await json('POST', '/api/reports', { json: body })).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    });
  });
});

// Rule: PEOPLE-17
describe('people search', () => {
  it('passes the search on, trimmed, and composes whom it finds', async () => {
    gateway.identity.listPeople = () =>
      Promise.resolve({ items: [aUser({ id: OTHER_ID, name: 'Bea', isCoach: false })], nextCursor: 'n' });
    const { body } = await json('GET', '/api/people?q=%20b%C3%A9a%20&limit=5&cursor=c.d');
    expect(requests('listPeople')).toEqual([{ q: 'béa', limit: 5, cursor: 'c.d' }]);
    expect(body).toMatchObject({
      nextCursor: 'n',
      items: [{ name: 'Bea', isCoach: false, viewer: { isSelf: false }, stats: { followers: 48 } }],
    });
  });

  it('leaves out whom a block hides that identity has not heard of', async () => {
    gateway.social.getRelations = () => Promise.resolve({ relations: [aRelation({ blockedBy: true })] });
    expect((await json('GET', '/api/people?q=ana')).body).toMatchObject({ items: [] });
  });

  it('says what is wrong with a search of one letter', async () => {
    const message = 'Type at least 2 letters';
    gateway.identity.listPeople = () =>
      Promise.reject(validationFailed([{ path: 'q', message, code: 'too-short' }]));
    expect(await json('GET', '/api/people?q=a')).toMatchObject({
      status: 400,
      body: { code: 'validation-failed', errors: [{ path: 'q', message, code: 'too-short' }] },
    });
  });
});
