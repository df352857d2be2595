import { aPicture } from '../support/a-picture.js';
import { exportOf, type Exported, portable, rowsOf, type Row } from '../support/an-archive.js';
import type { ApiClient, ApiPost, Page } from '../support/api-client.js';
import type { PulsoByApi } from '../support/start-pulso.js';
import { waitForEqual } from '../support/wait-for.js';

type PicturedPost = ApiPost & { images: { id: string; url: string }[]; importedAt?: string };
interface Pending {
  posts: string[];
  comments: string[];
}
const POSTS_AT_ONCE = 20;
const COMMENTS_AT_ONCE = 100;

export const importing = (shared: () => PulsoByApi) =>
  describe('an import of what was exported', () => {
    let pulso: PulsoByApi;
    let ada: ApiClient;
    let ben: ApiClient;
    let archive: Exported;
    /** By the id of the picture in the archive. */
    const pictures = new Map<string, Buffer>();

    beforeAll(async () => {
      pulso = shared();
      const profile = { isCoach: true, bio: 'Strength.', specialties: ['Yoga', 'Rowing'] };
      ada = await pulso.user('ada-leaves', profile);
      ben = await pulso.user('ben-stays');
      await pulso.drainEvents();
      await live();
      archive = await exportOf(ada);
    });

    /** Ada's life: every kind of what an import takes, and of what it leaves behind. */
    async function live(): Promise<void> {
      const publish = async (body: object) => expectOk(await ada.post<PicturedPost>('/api/posts', body));
      const first = await publish({ content: 'First day. Thanks @ben-stays! 💪\n\nMore to come' });
      const images = [
        { id: await upload(ada, aPicture(900, 600, 40), 'rack.png'), alt: 'A rack', caption: 'Old' },
        { id: await upload(ada, aPicture(400, 800, 200), 'bar ☕.png') },
      ];
      const pictured = await publish({ content: 'Two pictures', images });
      await publish({ content: 'Only for those who pay', visibility: 'subscribers' });
      await publish({ content: '', video: { type: 'url', url: 'https://youtu.be/M7lc1UVf-VE' } });
      for (const count of Array.from({ length: POSTS_AT_ONCE }, (_, index) => index))
        await publish({ content: `Day ${count}` });
      await ada.patch(`/api/posts/${first.id}`, { content: 'First day, edited' });
      await ada.post(`/api/posts/${first.id}/comments`, { content: 'And I am back @ben-stays' });
      await ben.post(`/api/posts/${first.id}/comments`, { content: 'Well done' });
      await ben.put(`/api/posts/${first.id}/like`);
      const ofBen = expectOk(await ben.post<ApiPost>('/api/posts', { content: 'Ben here' }));
      await ada.post(`/api/posts/${ofBen.id}/comments`, { content: 'Hello Ben' });
      await ada.put(`/api/users/${ben.userId}/follow`);
      for (const { id, url } of pictured.images) {
        const file = await fetch(`${pulso.url}${url}`);
        pictures.set(id, Buffer.from(await file.arrayBuffer()));
      }
    }

    const expectOk = <T>({ status, body }: { status: number; body: T }): T => {
      if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    };

    async function upload(
      client: ApiClient,
      file: Buffer,
      name: string,
      size = file.length,
    ): Promise<string> {
      const form = new FormData();
      form.append('purpose', 'post');
      form.append('originalName', name);
      form.append('originalSize', String(size));
      form.append('file', new Blob([new Uint8Array(file)]), 'picture');
      return expectOk(await client.post<{ id: string }>('/api/media/images', form)).id;
    }

    /** As a client does it; `most` pieces of posts, as if it were cut then. */
    async function importInto(client: ApiClient, most = Infinity): Promise<void> {
      expectOk(await client.post('/api/me/import', { sourceUserId: archive.userId }));
      const posts = rowsOf(archive, 'posts', 'posts').filter(({ hiddenAt }) => hiddenAt === undefined);
      const own = new Set(posts.map(({ id }) => id));
      const comments = rowsOf(archive, 'posts', 'comments').filter(({ postId }) => own.has(postId as string));
      const ids = (rows: Row[]) => rows.map(({ id }) => id);
      const pending = expectOk(
        await client.post<Pending>('/api/me/import/pending', { posts: ids(posts), comments: ids(comments) }),
      );
      const missing = posts.filter(({ id }) => pending.posts.includes(id!));
      for (
        let from = 0, piece = 0;
        from < missing.length && piece < most;
        from += POSTS_AT_ONCE, piece += 1
      ) {
        const some = missing.slice(from, from + POSTS_AT_ONCE);
        const body = { posts: await Promise.all(some.map((row) => postOf(client, row))) };
        expectOk(await client.post('/api/me/import/posts', body));
      }
      if (most !== Infinity) return;
      const left = comments.filter(({ id }) => pending.comments.includes(id!));
      for (let from = 0; from < left.length; from += COMMENTS_AT_ONCE) {
        const some = left.slice(from, from + COMMENTS_AT_ONCE);
        const body = {
          comments: some.map(({ id: sourceId, postId: postSourceId, content }) => ({
            ...{ sourceId, postSourceId, content },
          })),
        };
        expectOk(await client.post('/api/me/import/comments', body));
      }
    }

    async function postOf(client: ApiClient, row: Row): Promise<object> {
      const { id: sourceId, content, visibility, editedAt } = row;
      const images = await Promise.all(
        (row['images'] as Row[]).map(async ({ id, alt, caption, originalName, originalSize }) => ({
          id: await upload(client, pictures.get(id!)!, originalName as string, originalSize as number),
          ...{ alt, caption },
        })),
      );
      const link = row['videoLink'] as { originalUrl: string } | undefined;
      const video = link ? { type: 'url', url: link.originalUrl } : null;
      return { sourceId, content, visibility, editedAt, images, video };
    }

    const newcomer = async (username: string) => {
      const { name, bio, isCoach, specialties } = (await ada.get('/api/me')).body;
      const client = await pulso.user(username);
      expectOk(await client.patch('/api/me', { name, bio, isCoach, specialties }));
      await pulso.drainEvents();
      return client;
    };
    const numbersOf = async (client: ApiClient) => (await client.get('/api/me/import')).body;

    // Rule: ACCT-46
    it('makes an empty account equal to it, but for ids and the acts of others', async () => {
      const notified = async () =>
        (await ben.all<{ type: string }>('/api/notifications')).filter(({ type }) => type === 'mention')
          .length;
      await pulso.drainEvents();
      const before = await notified();
      expect(before).toBeGreaterThan(0);
      const eva = await newcomer('eva-arrives');
      await importInto(eva);
      await pulso.drainEvents();
      const there = portable(await exportOf(eva));
      expect(there).toEqual(portable(archive));
      expect(there['unknown']).toEqual([]);
      expect([(there['posts'] as string[]).length, (there['comments'] as string[]).length]).toEqual([24, 1]);
      expect(await numbersOf(eva)).toEqual({ sourceUserId: ada.userId, posts: 24, comments: 1 });
      expect(await notified()).toBe(before);

      const profile = await eva.all<PicturedPost>(`/api/users/${eva.userId}/posts`);
      expect(profile.map(({ content }) => content)).toEqual(
        (await ada.all<PicturedPost>(`/api/users/${ada.userId}/posts`)).map(({ content }) => content),
      );
      expect(profile.every(({ importedAt }) => importedAt !== undefined)).toBe(true);
      const pictured = profile.find(({ images }) => images.length > 0)!;
      for (const { url } of pictured.images)
        await waitForEqual(async () => (await fetch(`${pulso.url}${url}`)).status, 200, {
          what: 'an imported picture',
        });
    });

    // Rule: ACCT-46
    it('goes on where it was cut, and repeated brings nothing more', async () => {
      const eva = await newcomer('eva-resumes');
      await importInto(eva, 1);
      expect(await numbersOf(eva)).toMatchObject({ posts: POSTS_AT_ONCE, comments: 0 });
      await importInto(eva);
      const once = await exportOf(eva);
      await importInto(eva);
      await pulso.drainEvents();
      expect(portable(await exportOf(eva))).toEqual(portable(archive));
      expect(rowsOf(await exportOf(eva), 'posts', 'posts').map(({ id }) => id)).toEqual(
        rowsOf(once, 'posts', 'posts').map(({ id }) => id),
      );
    });

    // Rule: ACCT-46, FEED-1
    it('puts nothing before people who have not chosen its author, whatever time it claims', async () => {
      const eva = await newcomer('eva-floods');
      await importInto(eva);
      await pulso.drainEvents();
      const feed = (await ben.get<Page<ApiPost>>('/api/feed?limit=100')).body.items;
      expect(feed.filter(({ author }) => author.id === eva.userId)).toEqual([]);
      const profile = await ben.all<ApiPost>(`/api/users/${eva.userId}/posts`);
      expect(profile).toHaveLength(24);
      expect(profile.filter(({ locked }) => locked).map(({ visibility }) => visibility)).toEqual([
        'subscribers',
      ]);
    });

    // Rule: ACCT-46, MEDIA-17
    it('takes no pictures of others, and makes nothing public that was for subscribers', async () => {
      const mallory = await pulso.user('mallory-imports');
      await pulso.drainEvents();
      expectOk(await mallory.post('/api/me/import', { sourceUserId: archive.userId }));
      const [post] = rowsOf(archive, 'posts', 'posts');
      const { id: sourceId, content } = post!;
      const [picture] = [...pictures.keys()];
      const foreign = { posts: [{ sourceId, content, images: [{ id: picture }] }] };
      expect(await mallory.post('/api/me/import/posts', foreign)).toMatchObject({
        ...{ status: 422, body: { code: 'media-not-attachable' } },
      });
      const closed = { posts: [{ sourceId, content, visibility: 'subscribers' }] };
      expect(await mallory.post('/api/me/import/posts', closed)).toMatchObject({
        ...{ status: 403, body: { code: 'permission-denied' } },
      });
      expect(await mallory.all(`/api/users/${mallory.userId}/posts`)).toEqual([]);
    });
  });
