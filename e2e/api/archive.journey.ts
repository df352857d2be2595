import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { aPicture } from '../support/a-picture.js';
import type { ApiClient } from '../support/api-client.js';
import type { PulsoByApi } from '../support/start-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

// A worker of its own would outlive the test.
configure({ useWebWorkers: false });

interface ApiArchive {
  status: 'none' | 'building' | 'ready' | 'failed';
  doneBytes: number | null;
  totalBytes: number | null;
  url: string | null;
}

interface Export {
  userId: string;
  complete: true;
  services: {
    posts: { posts: { id: string; content: string }[] };
    media: { files: { id: string }[] };
  };
}

const PATH = '/api/me/archive';

export const archives = (shared: () => PulsoByApi) =>
  describe('the archive of a member', () => {
    let pulso: PulsoByApi;
    let ada: ApiClient;
    let stranger: ApiClient;
    const read = async (client: ApiClient) => (await client.get<ApiArchive>(PATH)).body;
    const ready = (client: ApiClient) =>
      waitFor(
        () => read(client),
        ({ status }) => status === 'ready',
        { what: 'the archive' },
      );
    /** As a browser asks: without any token. */
    const open = (address: string, headers: Record<string, string> = {}) =>
      fetch(`${pulso.url}${address}`, { headers });
    const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
    const upload = async (purpose: 'post' | 'avatar') => {
      const form = new FormData();
      form.append('purpose', purpose);
      form.append(
        'file',
        new Blob([new Uint8Array(aPicture(640, 480))], { type: 'image/png' }),
        'picture.png',
      );
      const { status, body } = await ada.post<{ id: string; url: string }>('/api/media/images', form);
      if (status !== 201) throw new Error(`Upload: ${status} ${JSON.stringify(body)}`);
      return body;
    };

    beforeAll(async () => {
      pulso = shared();
      [ada, stranger] = [await pulso.user('ada-archive'), await pulso.user('bo-archive')];
    });

    // Rule: ACCT-45, HTTP-45, MEDIA-25
    it('holds what the export says and the files, and its download goes on where it was cut', async () => {
      expect(await read(ada)).toMatchObject({ status: 'none', url: null });
      const [picture, avatar] = [await upload('post'), await upload('avatar')];
      // Its address ends when a post has it.
      const shown = await bytesOf(await open(picture.url));
      const post = await ada.post<{ id: string }>('/api/posts', {
        content: 'For the archive',
        images: [{ id: picture.id }],
      });
      expect(post.status).toBe(201);
      expect((await ada.patch('/api/me', { profileImageId: avatar.id })).status).toBe(200);

      const asked = await ada.post<ApiArchive>(PATH);
      expect([asked.status, asked.body.status]).toEqual([202, 'building']);
      const { url, doneBytes, totalBytes } = await ready(ada);
      const head = await open(url!, { range: 'bytes=0-999' });
      expect(head.status).toBe(206);
      const part = await bytesOf(head);
      const rest = await open(url!, { range: 'bytes=1000-', 'if-range': head.headers.get('etag')! });
      expect(rest.status).toBe(206);
      const zip = Buffer.concat([part, await bytesOf(rest)]);
      expect([doneBytes, totalBytes]).toEqual([zip.length, zip.length]);

      const reader = new ZipReader(new Uint8ArrayReader(zip), { checkCrc32: true });
      const members = new Map<string, Buffer>();
      for (const entry of await reader.getEntries())
        if (!entry.directory)
          members.set(entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter())));
      expect([...members.keys()].sort()).toEqual(
        ['README.txt', `media/${picture.id}.jpg`, `media/${avatar.id}.jpg`, 'pulso-export.json'].sort(),
      );
      expect(members.get(`media/${picture.id}.jpg`)!.equals(shown)).toBe(true);
      const document = JSON.parse(members.get('pulso-export.json')!.toString()) as Export;
      expect(document).toMatchObject({ userId: ada.userId, complete: true });
      expect(document.services.posts.posts).toEqual([
        expect.objectContaining({ id: post.body.id, content: 'For the archive' }),
      ]);
      const files = document.services.media.files.map(({ id }) => id);
      expect(files.sort()).toEqual([picture.id, avatar.id].sort());
    });

    // Rule: ACCT-45, MEDIA-25
    it('is its owner’s alone, until they delete it', async () => {
      const { url } = await ready(ada);
      expect(await read(stranger)).toMatchObject({ status: 'none', url: null });
      const [path, query] = url!.split('?') as [string, string];
      await stranger.post(PATH);
      const other = (await ready(stranger)).url!;
      const statuses = await Promise.all(
        [path, `${other.split('?')[0]}?${query}`].map(async (address) => {
          const answer = await open(address);
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
      expect(statuses).toEqual([403, 403]);
      expect((await ada.delete(PATH)).status).toBe(204);
      await waitForEqual(async () => (await open(url!)).status, 404, { what: 'the end of the address' });
      expect(await read(ada)).toMatchObject({ status: 'none', url: null });
      expect((await read(stranger)).status).toBe('ready');
      // A session's end is that of its addresses.
      expect((await open(other)).status).toBe(200);
      expect((await stranger.post('/api/auth/logout')).status).toBe(204);
      await waitForEqual(async () => (await open(other)).status, 403, { what: 'the end of the address' });
    });
  });
