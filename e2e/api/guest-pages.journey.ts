import type { ApiClient, ApiPost } from '../support/api-client.js';
import { aCoachWithPosts } from '../support/crowd.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitFor } from '../support/wait-for.js';

/** Of a document: what a phone has after the first answers of a connection. */
const FIRST_BYTES = 14 * 1024;
const NAME = 'Ana </script><!-- <b>';
const CLOSED = `${'What everybody may read of it. '.repeat(8)}And here is the secret exercise`;

/** Needs a Pulso with the build of `guestBuild`. */
export const guestPages = (shared: () => JourneyPulso) =>
  describe('the pages of guests', () => {
    let pulso: JourneyPulso;
    let coach: ApiClient;
    let post: ApiPost;
    let closed: ApiPost;

    const page = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(pulso.url + path, { headers, signal: AbortSignal.timeout(15_000) });
      return { status: answer.status, headers: answer.headers, html: await answer.text() };
    };
    /** Others see a write within a second (HTTP-3), and what was rendered before serves for as long. */
    const untilPage = (
      path: string,
      wanted: (got: { status: number; html: string }) => boolean,
      what: string,
    ) => waitFor(() => page(path), wanted, { what });

    beforeAll(async () => {
      pulso = shared();
      const author = await aCoachWithPosts(pulso, 'ana-rendered');
      coach = author.coach;
      post = author.posts[0]!;
      closed = (await coach.post<ApiPost>('/api/posts', { content: CLOSED, visibility: 'subscribers' })).body;
      await coach.patch('/api/me', { name: NAME });
      await pulso.drainEvents();
    });

    // Rule: HTTP-38
    it('come with their first post in their first 14 KB, and the data that they were made of', async () => {
      for (const path of [
        '/ana-rendered',
        `/profile/${coach.userId}`,
        `/coaches/${coach.userId}`,
        `/post/${post.id}`,
      ]) {
        const { html } = await untilPage(path, ({ html: got }) => got.includes(post.content), path);
        expect(Buffer.from(html).subarray(0, FIRST_BYTES).toString()).toContain('<div id="root"><p>Ana &lt;');
        const [, data] = /<script type="application\/json" id="page-data">([^<]*)<\/script>/.exec(html)!;
        expect((JSON.parse(data!) as ApiPost[]).map(({ id }) => id)).toContain(post.id);
      }
    });

    // Rule: HTTP-38, POST-6
    it('show nothing that a visitor may not read, to its author neither', async () => {
      for (const path of [`/post/${closed.id}`, '/ana-rendered']) {
        for (const headers of [{}, { authorization: `Bearer ${coach.accessToken}` }] as Record<
          string,
          string
        >[]) {
          const { html } = await page(path, headers);
          expect(html).toContain('What everybody may read');
          expect(html).not.toContain('secret');
        }
      }
    });

    // Rule: HTTP-40
    it('hide no script in a name', async () => {
      const { html } = await untilPage(
        '/ana-rendered',
        ({ html: got }) => got.includes('Ana'),
        'the new name',
      );
      expect(html.match(/<script/g)).toHaveLength(2);
      expect(html.match(/<\/script>/g)).toHaveLength(2);
      expect(html).not.toContain('<!--');
      const [, facts] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)!;
      expect(JSON.parse(facts!)).toMatchObject({ mainEntity: { name: NAME } });
    });
    // Rule: HTTP-38
    it('are the same for whoever has them already', async () => {
      const etag = (await page(`/post/${post.id}`)).headers.get('etag')!;
      const again = await page(`/post/${post.id}`, { 'if-none-match': etag, 'cache-control': 'max-age=0' });
      expect(again.status).toBe(304);
    });

    // Rule: ACCT-40
    it('are not rendered for members', async () => {
      const { html } = await page('/ana-rendered', { cookie: 'pulso_member=1' });
      expect(html).toContain('<div id="root"></div>');
      expect(html).not.toContain(post.content);
    });

    // Rule: HTTP-41
    it('are found by a name in another spelling, and by a former one', async () => {
      const renamed = await aCoachWithPosts(pulso, 'bo-before');
      await renamed.coach.patch('/api/me', { username: 'bo-after' });
      const lead = async (path: string) => {
        const answer = await fetch(pulso.url + path, {
          redirect: 'manual',
          signal: AbortSignal.timeout(15_000),
        });
        return { status: answer.status, to: answer.headers.get('location') };
      };
      expect(await lead('/Bo-After?tab=reviews')).toEqual({ status: 301, to: '/bo-after?tab=reviews' });
      await waitFor(
        () => lead('/bo-before?tab=reviews'),
        ({ to }) => to === '/bo-after?tab=reviews',
        {
          what: 'the way to the new name',
        },
      );
      expect((await lead('/bo-before')).status).toBe(302);
      expect((await page('/bo-before')).html).toContain('bo-after');
    });

    // Rule: HTTP-39
    it('are told to search engines', async () => {
      expect((await page('/robots.txt')).html).toMatch(/^Sitemap: .*\/sitemap\.xml$/m);
      const { status, html } = await page('/sitemap.xml');
      expect([status, html]).toEqual([200, expect.stringContaining('/ana-rendered</loc>')]);
      expect(html).toContain(`/post/${post.id}</loc><lastmod>${post.createdAt}</lastmod>`);
      expect(html).not.toContain(closed.id);
    });

    // Rule: HTTP-27
    it('are gone with a post that is hidden, and with a user who is suspended', async () => {
      await pulso.operate('social', 'hide-post', post.id, '--by', 'mo', '--reason', 'spam');
      const isGone = ({ status, html }: { status: number; html: string }) =>
        status === 404 && !html.includes(post.content);
      await untilPage(`/post/${post.id}`, isGone, 'the hidden post’s page');
      await pulso.operate('social', 'suspend-user', coach.userId, '--by', 'mo', '--reason', 'spam');
      for (const path of ['/ana-rendered', `/coaches/${coach.userId}`, `/post/${closed.id}`]) {
        await untilPage(path, ({ status }) => status === 404, `404 of ${path}`);
      }
    });
  });
