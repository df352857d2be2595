import type { ApiClient, ApiPost, Page } from '../support/api-client.js';
import type { PulsoByApi } from '../support/start-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

interface ApiComment {
  id: string;
  content: string;
  likeCount: number;
  likedByViewer: boolean;
  author: { username: string };
}

export const firstDay = (shared: () => PulsoByApi) =>
  describe('a first day on Pulso', () => {
    let pulso: PulsoByApi;
    let ana: ApiClient;
    let ben: ApiClient;
    /** Of Ana's first post. Others may have posts in between. */
    let first: string;

    beforeAll(async () => {
      pulso = shared();
      ana = await pulso.user('ana', { isCoach: true });
      ben = await pulso.user('ben');
      await pulso.drainEvents();
    });

    const feedOf = async (client: ApiClient) => (await client.get<Page<ApiPost>>('/api/feed')).body.items;
    const inFeed = async (client: ApiClient, id = first) =>
      (await feedOf(client)).find((post) => post.id === id);

    // Rule: ACCT-5
    it('signs up, and the profile is found by id and username at once', async () => {
      const eva = await pulso.user('eva', { isCoach: true, bio: 'Strength', specialties: ['Yoga'] });
      const me = await eva.get('/api/me');
      expect(me.body).toMatchObject({
        username: eva.username,
        isCoach: true,
        email: `${eva.username}@example.test`,
        specialties: ['Yoga'],
      });
      const profile = await ben.get(`/api/users/by-username/${eva.username}`);
      expect(profile.body).toMatchObject({ id: eva.userId, viewer: { isSelf: false }, stats: { posts: 0 } });
      expect(profile.body).not.toHaveProperty('email');
      expect((await pulso.visitor().get(`/api/users/${eva.userId}`)).body).toMatchObject({ viewer: null });
    });

    it('posts, finds the post in the feed without a Pulso-After header, and others see it, too', async () => {
      const created = await ana.post<ApiPost>('/api/posts', { content: '  First squat session  ' });
      expect(created.status).toBe(201);
      expect(created.headers.get('pulso-after')).toBeTruthy();
      expect(created.body).toMatchObject({
        content: 'First squat session',
        locked: false,
        author: { username: ana.username },
      });
      const reader = pulso.visitor();
      reader.accessToken = ben.accessToken;
      first = created.body.id;
      expect(await inFeed(reader)).toBeDefined();
    });

    it('likes and unlikes; repeats change nothing', async () => {
      expect((await ben.put(`/api/posts/${first}/like`)).body).toEqual({ liked: true, likeCount: 1 });
      expect((await ben.put(`/api/posts/${first}/like`)).body).toEqual({ liked: true, likeCount: 1 });
      expect(await inFeed(ben)).toMatchObject({ likedByViewer: true, likeCount: 1 });
      expect(await inFeed(ana)).toMatchObject({ likedByViewer: false, likeCount: 1 });
      expect((await ben.delete(`/api/posts/${first}/like`)).body).toEqual({ liked: false, likeCount: 0 });
      expect((await ben.delete(`/api/posts/${first}/like`)).body).toEqual({ liked: false, likeCount: 0 });
    });

    it('comments, likes the comment, and the post author may delete it', async () => {
      const comment = await ben.post<ApiComment>(`/api/posts/${first}/comments`, {
        content: 'Strong start',
      });
      expect(comment.status).toBe(201);
      expect((await ana.put(`/api/comments/${comment.body.id}/like`)).body).toEqual({
        liked: true,
        likeCount: 1,
      });
      const list = await ana.get<Page<ApiComment>>(`/api/posts/${first}/comments`);
      expect(list.body.items).toMatchObject([{ content: 'Strong start', likeCount: 1, likedByViewer: true }]);
      expect((await inFeed(ana))!.commentCount).toBe(1);
      const stats = await ana.get<{ stats: Record<string, number> }>('/api/me');
      expect(stats.body.stats).toMatchObject({ posts: 1, comments: 1 });
      expect((await ana.delete(`/api/comments/${comment.body.id}`)).status).toBe(204);
      expect((await ana.delete(`/api/comments/${comment.body.id}`)).status).toBe(404);
      expect((await inFeed(ana))!.commentCount).toBe(0);
    });

    // Rule: HTTP-10, POST-4, POST-9
    it('edits and deletes only own posts', async () => {
      const path = `/api/posts/${first}`;
      expect((await ben.patch(path, { content: 'Not mine' })).status).toBe(403);
      expect((await ana.patch<ApiPost>(path, { content: 'Edited' })).body).toMatchObject({
        content: 'Edited',
      });
      expect((await ben.get<ApiPost>(path)).body.content).toBe('Edited');
      expect((await ben.delete(path)).status).toBe(403);
      expect((await ana.delete(path)).status).toBe(204);
      expect((await ana.delete(path)).status).toBe(404);
      expect((await ben.get(path)).status).toBe(404);
      expect(await inFeed(ben)).toBeUndefined();
    });

    // Rule: POST-6, POST-8
    it('locks a subscribers-only post for everyone but its author', async () => {
      const secret = 'Week one of the block. '.repeat(10);
      expect((await ben.post('/api/posts', { content: 'x', visibility: 'subscribers' })).status).toBe(403);
      const { body: post } = await ana.post<ApiPost>('/api/posts', {
        content: secret,
        visibility: 'subscribers',
      });
      for (const viewer of [ben, pulso.visitor()]) {
        const seen = (await viewer.get<ApiPost>(`/api/posts/${post.id}`)).body;
        expect(seen).toMatchObject({ locked: true, truncated: true });
        expect(seen.content).toBe(secret.slice(0, 100));
        const comments = await viewer.get(`/api/posts/${post.id}/comments`);
        expect(comments).toMatchObject({ status: 403, body: { code: 'subscription-required' } });
      }
      expect((await ben.put(`/api/posts/${post.id}/like`)).body).toMatchObject({
        code: 'subscription-required',
      });
      expect(await inFeed(ben, post.id)).toBeUndefined();
      expect(await inFeed(ana, post.id)).toMatchObject({ locked: false });
    });

    // Rule: HTTP-13
    it('repeats the first response for a repeated Idempotency-Key', async () => {
      const key = { 'idempotency-key': 'one-tap' };
      const first = await ben.post<ApiPost>('/api/posts', { content: 'Once' }, key);
      const again = await ben.post<ApiPost>('/api/posts', { content: 'Once' }, key);
      expect(again).toMatchObject({ status: 201, body: { id: first.body.id } });
      const other = await ben.post('/api/posts', { content: 'Twice' }, key);
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
      const raced = await Promise.all(
        Array.from({ length: 8 }, () => ana.post<ApiPost>('/api/posts', { content: 'Raced' }, key)),
      );
      expect(new Set(raced.map(({ body }) => body.id)).size).toBe(1);
    });

    // Rule: ACCT-21
    it('refreshes by cookie, logs out, and the access token is refused', async () => {
      const cara = await pulso.user('cara');
      const refreshed = await cara.post<{ accessToken: string }>('/api/auth/refresh');
      expect(refreshed.status).toBe(200);
      expect((await cara.post('/api/auth/logout')).status).toBe(204);
      const refused = await waitFor(
        () => cara.get('/api/me'),
        ({ status }) => status !== 200,
        { what: 'the refusal of the access token' },
      );
      expect(refused).toMatchObject({ status: 401, body: { code: 'user-token-expired' } });
      expect((await cara.post('/api/auth/refresh')).status).toBe(401);
      await cara.logIn(cara.username);
      expect((await cara.get('/api/me')).status).toBe(200);
    });

    // Rule: PEOPLE-5
    it('shows a changed name on earlier posts', async () => {
      expect((await ben.patch('/api/me', { name: 'Benedict', bio: 'Runner' })).status).toBe(200);
      const nameOf = async () =>
        (await feedOf(ana)).find(({ author }) => author.username === ben.username)?.author.name;
      await waitForEqual(nameOf, 'Benedict', { what: 'the changed name on an earlier post' });
    });
  });
