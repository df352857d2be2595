import { Archive as ArchiveMessage, ArchiveStatus } from '@pulso/contracts/media/v1/media';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { until } from '@pulso/platform/testing/until';
import { text } from 'node:stream/consumers';
import { MEDIA_ID, refuse, startListener, type FakeListener } from './support/fake-media.js';
import { OTHER_ID, SESSION_ID, USER_ID } from './support/fake-clients.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let media: FakeListener;
/** What media has got: a whole document, or where it was cut off. */
let documents: string[];
let cut: unknown[];

const building: ArchiveMessage = {
  status: ArchiveStatus.ARCHIVE_STATUS_BUILDING,
  ...{ doneBytes: 0, totalBytes: 5_000, requestedAt: Date.UTC(2026, 10, 28, 12), url: '' },
};

beforeEach(async () => {
  [documents, cut] = [[], []];
  media = await startListener(async (request, response) => {
    try {
      documents.push(await text(request));
    } catch (error) {
      cut.push(error);
      return;
    }
    response.writeHead(202, { 'content-type': 'application/x-protobuf' });
    response.end(ArchiveMessage.encode(building).finish());
  });
  gateway = await startTestGateway({ RATE_LIMIT_FACTOR: 1, MEDIA_BYTES_URL: media.url });
});
afterEach(async () => {
  await gateway?.close();
  await media?.close();
});

const ask = (method = 'POST', token: string | null = gateway.token) =>
  gateway.call(method, '/api/me/archive', { token });
/** When an address expires that is given now. */
const later = () => gateway.clock.now() + 60 * 60_000;
const row = (section: string, value: object) => ({ section, json: JSON.stringify(value) });

// Rule: ACCT-45, HTTP-45
describe('the archive', () => {
  it('is built by media of the document of the export', async () => {
    gateway.posts.exportUser = ({ cursor }) =>
      Promise.resolve(
        cursor === ''
          ? { rows: [row('posts', { id: 'p1' })], nextCursor: 'two' }
          : { rows: [row('posts', { id: 'p2' })], nextCursor: '' },
      );
    const response = await ask();
    expect([response.status, await response.json()]).toEqual([
      202,
      {
        ...{ status: 'building', doneBytes: 0, totalBytes: 5_000, requestedAt: '2026-11-28T12:00:00.000Z' },
        ...{ documentBytes: null, readyAt: null, expiresAt: null, url: null },
      },
    ]);
    const [asked] = media.requests;
    expect([asked!.method, asked!.url]).toEqual(['POST', '/archives']);
    expect(asked!.headers.authorization).toBe(`Bearer ${gateway.token}`);
    expect(documents).toHaveLength(1);
    expect(documents[0]).toMatch(/,"complete":true\}\n$/);
    expect(JSON.parse(documents[0]!)).toMatchObject({
      ...{ format: 'pulso-export', userId: USER_ID },
      services: { posts: { posts: [{ id: 'p1' }, { id: 'p2' }] } },
    });
  });

  it('is not asked for while a service does not answer', async () => {
    gateway.social.exportUser = () => Promise.reject(unavailable());
    const response = await ask();
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ detail: expect.stringContaining('Your data cannot be put together now') }),
    ]);
    expect(media.requests).toEqual([]);
  });

  it('is not built of a document that was cut off', async () => {
    gateway.social.exportUser = ({ cursor }) =>
      cursor === ''
        ? Promise.resolve({ rows: [row('following', { userId: 'u' })], nextCursor: 'two' })
        : Promise.reject(unavailable());
    const response = await ask();
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ detail: expect.stringContaining('Your data cannot be put together now') }),
    ]);
    expect(documents).toEqual([]);
    // It has given its place back.
    gateway.social.exportUser = () => Promise.resolve({ rows: [], nextCursor: '' });
    expect((await ask()).status).toBe(202);
  });

  it('is refused as media refuses it', async () => {
    media.handle = (request, response) => {
      request.resume();
      refuse(response, 503, { code: 'unavailable', message: 'There is no room for files.', retryAfter: 60 });
    };
    const response = await ask();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await response.json()).toMatchObject({ detail: 'There is no room for files.' });
  });

  it('and the export are one at a time for an account', async () => {
    const begun = new Promise<() => void>((begin) => {
      gateway.billing.exportUser = () =>
        new Promise((resolve) => begin(() => resolve({ rows: [], nextCursor: '' })));
    });
    const first = ask();
    const goOn = await begun;
    expect((await ask()).status).toBe(429);
    expect((await gateway.call('GET', '/api/me/export')).status).toBe(429);
    goOn();
    expect((await first).status).toBe(202);
  });

  // Rule: LIMIT-20
  it('is built three times a day at most, and what could not be put together does not count', async () => {
    gateway.identity.exportUser = () => Promise.reject(unavailable());
    for (let index = 0; index < 4; index += 1) expect((await ask()).status).toBe(503);
    gateway.identity.exportUser = () => Promise.resolve({ rows: [], nextCursor: '' });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await ask()).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
  });

  // Rule: LIMIT-20
  it.each([
    [413, 'file-too-large'],
    [422, 'unprocessable'],
    [401, 'user-token-expired'],
  ])('does not count where it could never be: %s %s', async (status, code) => {
    const asMedia = media.handle;
    media.handle = (request, response) => {
      request.resume();
      refuse(response, status, { code, message: 'No' });
    };
    for (let index = 0; index < 4; index += 1) expect((await ask()).status).toBe(status);
    media.handle = asMedia;
    expect((await ask()).status).toBe(202);
  });

  it('is told of, with its address once it is ready', async () => {
    expect(await (await ask('GET')).json()).toEqual({
      ...{ status: 'none', doneBytes: null, totalBytes: null },
      ...{ documentBytes: null, requestedAt: null, readyAt: null, expiresAt: null, url: null },
    });
    const at = Date.UTC(2026, 10, 28, 12);
    const url = `/media/${MEDIA_ID}/archive-${SESSION_ID}?e=0&x=${later()}&k=k1&s=mac`;
    gateway.media.getArchive = () =>
      Promise.resolve({
        ...{ status: ArchiveStatus.ARCHIVE_STATUS_READY, doneBytes: 9, totalBytes: 9, url },
        ...{ requestedAt: at, readyAt: at + 1_000, expiresAt: at + 2_000, documentBytes: 7 },
      });
    expect(await (await ask('GET')).json()).toEqual({
      ...{ status: 'ready', doneBytes: 9, totalBytes: 9, documentBytes: 7, url },
      requestedAt: '2026-11-28T12:00:00.000Z',
      readyAt: '2026-11-28T12:00:01.000Z',
      expiresAt: '2026-11-28T12:00:02.000Z',
    });
  });

  it('is deleted, and may be deleted again', async () => {
    const statuses = [(await ask('DELETE')).status, (await ask('DELETE')).status];
    expect(statuses).toEqual([204, 204]);
    expect(gateway.calls.filter(({ method }) => method === 'deleteArchive')).toHaveLength(2);
  });

  it.each(['GET', 'POST', 'DELETE'])('needs a session: %s', async (method) => {
    expect((await ask(method, null)).status).toBe(401);
    expect(media.requests).toEqual([]);
  });

  // Rule: MEDIA-25
  it('is given as media gives it, at its address', async () => {
    media.handle = (_request, response) => {
      response.writeHead(206, {
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename="pulso-a-2026-11-28.zip"',
        'content-range': 'bytes 2-4/9',
        'content-length': '3',
        ...{ etag: '"a-archive"', 'cache-control': 'private, no-store', 'accept-ranges': 'bytes' },
      });
      response.end('zip');
    };
    const path = `/media/${MEDIA_ID}/archive-${SESSION_ID}?e=0&x=${later()}&k=k1&s=mac`;
    const response = await gateway.call('GET', path, { token: null, headers: { range: 'bytes=2-4' } });
    expect([response.status, await response.text()]).toEqual([206, 'zip']);
    expect([media.requests[0]!.url, media.requests[0]!.headers.range]).toEqual([path, 'bytes=2-4']);
    const headers = ['content-type', 'content-disposition', 'content-range', 'etag', 'cache-control'];
    expect(headers.map((name) => response.headers.get(name))).toEqual([
      ...['application/zip', 'attachment; filename="pulso-a-2026-11-28.zip"', 'bytes 2-4/9'],
      ...['"a-archive"', 'private, no-store'],
    ]);
  });

  // Rule: LIMIT-20
  it('has places of its own: who reads archives slowly holds up no picture, and a bounded number of archives', async () => {
    const reading = await startGatewayForThisTest({
      MEDIA_BYTES_URL: media.url,
      mediaLimits: { files: { archive: { perAddress: 3, perProcess: 2 }, file: { perProcess: 1 } } },
    });
    media.handle = (request, response) => {
      if (!request.url!.includes('/archive-')) return void response.end('picture');
      response.writeHead(200, { 'content-type': 'application/zip' }).write('half of it');
    };
    const get = (variant: string) =>
      fetch(`${reading.url}/media/${MEDIA_ID}/${variant}?e=0&x=${later()}&k=k1&s=mac`);
    const slow = [await get(`archive-${SESSION_ID}`), await get(`archive-${SESSION_ID}`)];
    expect(slow.map(({ status }) => status)).toEqual([200, 200]);
    expect((await get(`archive-${SESSION_ID}`)).status).toBe(503);
    expect((await get('full')).status).toBe(200);
    for (const { body } of slow) await body!.cancel();
    await until(async () => (await get(`archive-${SESSION_ID}`)).status === 200, { what: 'a free place' });
  });

  // Rule: MEDIA-25, ACCT-21
  it('is not given any more once the session has ended that its address is of', async () => {
    media.handle = (_request, response) => void response.end('zip');
    const get = async (variant: string) => {
      const path = `/media/${MEDIA_ID}/${variant}?e=0&x=${later()}&k=k1&s=mac`;
      return (await gateway.call('GET', path, { token: null })).status;
    };
    expect(await get(`archive-${SESSION_ID}`)).toBe(200);
    gateway.identity.listEndedSessions = () =>
      Promise.resolve({ sessions: [{ id: SESSION_ID, endedAt: gateway.clock.now() }], more: false });
    await until(async () => (await get(`archive-${SESSION_ID}`)) === 403, { what: 'the end of the address' });
    const asked = media.requests.length;
    expect(await get(`archive-${SESSION_ID}`)).toBe(403);
    expect(media.requests).toHaveLength(asked);
    expect(await get(`archive-${OTHER_ID}`)).toBe(200);
    for (const none of ['archive', 'archive-', 'archive-x', `archive-${SESSION_ID}x`])
      expect([none, await get(none)]).toEqual([none, 404]);
  });

  it('is not given while it is not known which sessions have ended', async () => {
    const young = await startGatewayForThisTest({
      MEDIA_BYTES_URL: media.url,
      prepare: ({ identity }) => (identity.listEndedSessions = () => Promise.reject(unavailable())),
    });
    const path = `/media/${MEDIA_ID}/archive-${SESSION_ID}?e=0&x=${later()}&k=k1&s=mac`;
    expect((await young.call('GET', path, { token: null })).status).toBe(503);
    expect(media.requests).toEqual([]);
  });
});
