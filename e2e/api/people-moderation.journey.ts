import type { ApiClient, ApiPost, Page } from '../support/api-client.js';
import { aCoachWithPosts, feedIds } from '../support/crowd.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

interface QueuedReport {
  id: string;
  subjectType: string;
  subjectId: string;
  reason: string;
  note: string;
  reporter: string;
}

export const moderation = (shared: () => JourneyPulso) =>
  describe('moderation, from the report to its effects', () => {
    let pulso: JourneyPulso;
    let coach: ApiClient;
    let ben: ApiClient;
    let spammer: ApiClient;
    let post: ApiPost;
    let comment: { id: string };

    beforeAll(async () => {
      pulso = shared();
      const author = await aCoachWithPosts(pulso, 'carla');
      coach = author.coach;
      post = author.posts[0]!;
      ben = await pulso.user('reporter');
      spammer = await pulso.user('spammer');
      await pulso.drainEvents();
      await spammer.post('/api/posts', { content: 'an advert' });
      const path = `/api/posts/${post.id}/comments`;
      comment = (await spammer.post<{ id: string }>(path, { content: 'another advert' })).body;
      await ben.post(path, { content: 'well said' });
    });

    const moderate = (name: string, ...words: string[]) => pulso.operate('social', name, ...words);
    const queue = async () => {
      const lines = (await moderate('list-reports', '--json')).trim().split('\n');
      return lines.map((line) => JSON.parse(line) as QueuedReport);
    };
    /**
     * A command runs in a separate process: its decision waits for the relay's next poll, then arrives like any event, at
     * each service by itself.
     */
    const untilStatus = async (client: ApiClient, path: string, status: number) => {
      await waitFor(
        () => client.get(path),
        (got) => got.status === status,
        { what: `status ${status} of ${path}` },
      );
    };
    const postsOf = async (user: ApiClient) => {
      const { body } = await ben.get<{ stats: { posts: number } }>(`/api/users/${user.userId}`);
      return body.stats.posts;
    };

    it('posts, comments and users can be reported, each once per reporter', async () => {
      const reports = [
        { subjectType: 'comment', subjectId: comment.id, reason: 'spam', note: 'An advert' },
        { subjectType: 'post', subjectId: post.id, reason: 'other', note: '' },
        { subjectType: 'user', subjectId: spammer.userId, reason: 'harassment', note: 'Adverts\nonly' },
      ];
      for (const report of [...reports, ...reports]) {
        expect((await ben.post('/api/reports', report)).status).toBe(202);
      }
      const open = await queue();
      expect(open).toMatchObject(reports.map((report) => ({ ...report, reporter: 'reporter' })));
    });

    // Rule: PEOPLE-37
    it('a hidden post is gone for everyone except its author, and can be restored', async () => {
      const path = `/api/posts/${post.id}`;
      const report = (await queue()).find(({ subjectType }) => subjectType === 'post')!;
      await moderate('resolve', report.id, '--action', 'hide-post', '--by', 'mo');
      await untilStatus(ben, path, 404);
      await untilStatus(pulso.visitor(), path, 404);
      expect((await ben.get(`${path}/comments`)).status).toBe(404);
      expect(await feedIds(ben)).not.toContain(post.id);
      const { body } = await ben.get<Page<ApiPost>>(`/api/users/${coach.userId}/posts`);
      expect(body.items).toHaveLength(1);
      expect(await postsOf(coach)).toBe(1);
      expect((await coach.get(path)).status).toBe(200);
      expect(await feedIds(coach)).toContain(post.id);

      await moderate('unhide-post', post.id, '--by', 'mo');
      await untilStatus(ben, path, 200);
      expect(await feedIds(ben)).toContain(post.id);
      expect(await postsOf(coach)).toBe(2);
    });

    // Rule: PEOPLE-36, PEOPLE-37
    it('a reported comment is read with its context, hidden and shown again, and both decisions are listed', async () => {
      const path = `/api/posts/${post.id}/comments`;
      const textsFor = async (client: ApiClient) =>
        (await client.get<Page<{ content: string }>>(path)).body.items.map(({ content }) => content);
      const seen = await pulso.operate('posts', 'show-comment', comment.id);
      for (const text of ['"another advert"', '"well said"', 'by spammer (']) expect(seen).toContain(text);

      await moderate('hide-comment', comment.id, '--by', 'mo', '--reason', 'spam');
      await waitForEqual(() => textsFor(ben), ['well said'], { what: 'the comments without the hidden one' });
      expect(await textsFor(spammer)).toEqual(['another advert', 'well said']);
      // The comment is hidden first, then the comments are counted.
      const count = async () => (await ben.get<ApiPost>(`/api/posts/${post.id}`)).body.commentCount;
      await waitForEqual(count, 1, { what: 'the number of comments without the hidden one' });

      await moderate('unhide-comment', comment.id, '--by', 'lu');
      const both = ['another advert', 'well said'];
      await waitForEqual(() => textsFor(ben), both, { what: 'the comments with the hidden one' });
      const decisions = (await moderate('decisions', '--subject', comment.id)).trim().split('\n');
      expect(decisions).toEqual([
        expect.stringContaining(`comment ${comment.id} shown by lu: other`),
        expect.stringContaining(`comment ${comment.id} hidden by mo: spam`),
      ]);
    });

    it('a reported comment leads to its author’s suspension: everything of theirs is hidden until they are reinstated', async () => {
      const report = (await queue()).find(({ subjectType }) => subjectType === 'comment')!;
      await moderate(
        'resolve',
        report.id,
        '--action',
        'suspend-user',
        '--target',
        spammer.userId,
        '--by',
        'mo',
      );
      const profile = `/api/users/${spammer.userId}`;
      await untilStatus(ben, profile, 404);
      const commentsOf = async () => {
        const { body } = await ben.get<Page<{ content: string }>>(`/api/posts/${post.id}/comments`);
        return body.items.map(({ content }) => content);
      };
      await waitForEqual(commentsOf, ['well said'], { what: 'the comments without the suspended user’s' });
      const adverts = async () =>
        (await ben.all<ApiPost>('/api/feed')).filter(({ author }) => author.id === spammer.userId);
      await waitForEqual(adverts, [], { what: 'the posts of the suspended user' });
      const login = { email: 'spammer@example.test', password: 'correct horse' };
      expect(await pulso.visitor().post('/api/auth/login', login)).toMatchObject({
        status: 403,
        body: { code: 'user-disabled' },
      });

      await moderate('reinstate-user', spammer.userId, '--by', 'mo');
      await untilStatus(ben, profile, 200);
      await waitFor(adverts, (posts) => posts.length === 1, { what: 'the post of the reinstated user' });
      const comments = ['another advert', 'well said'];
      await waitForEqual(commentsOf, comments, { what: 'the comments with the reinstated user’s' });
      expect((await pulso.visitor().post('/api/auth/login', login)).status).toBe(200);
    });
  });
