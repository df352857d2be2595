import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { Video, VideoStatus } from '@pulso/contracts/media/v1/media';
import { encodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import { until } from '@pulso/platform/testing/until';
import { USER_ID } from './support/fake-clients.js';
import { type FakeListener, type Handle, MEDIA_ID, refuse, startListener } from './support/fake-media.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './support/start-test-gateway.js';

const MB = 1024 * 1024;
const BYTES = 'application/offset+octet-stream';

let listener: FakeListener;
let gateway: TestGateway;
/** The bodies that media got to their end. */
let taken: Buffer[];

async function start(handle: Handle, options: TestGatewayOptions = {}) {
  taken = [];
  listener = await startListener(handle);
  gateway = await startTestGateway({ MEDIA_BYTES_URL: listener.url, ...options });
}
afterEach(async () => {
  await gateway?.close();
  await listener?.close();
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const STATUSES = new Map([
  ['POST', 201],
  ['HEAD', 200],
]);

/** Answers as media does to each method of tus. */
const answers: Handle = async (request, response) => {
  taken.push(await bodyOf(request));
  const { method } = request;
  response.setHeader('tus-resumable', '1.0.0');
  if (method === 'POST') response.setHeader('location', `/api/uploads/${MEDIA_ID}`);
  if (method === 'HEAD') response.setHeader('upload-length', '100').setHeader('upload-offset', '7');
  if (method === 'PATCH') response.setHeader('upload-offset', `${taken.at(-1)!.length}`);
  if (method === 'OPTIONS') response.setHeader('tus-version', '1.0.0').setHeader('tus-extension', 'creation');
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader(WROTE, encodeTokens([{ topic: 'pulso.media.storage.v1', key: USER_ID, version: 7 }]));
  response.writeHead(STATUSES.get(method!) ?? 204).end();
};

const ask = (
  method: string,
  id: string,
  headers: Record<string, string> = {},
  body?: Uint8Array<ArrayBuffer>,
) =>
  fetch(`${gateway.url}/api/uploads${id && `/${id}`}`, {
    method,
    headers: { authorization: `Bearer ${gateway.token}`, 'tus-resumable': '1.0.0', ...headers },
    body,
  });
const patch = (body: Uint8Array<ArrayBuffer>, offset = 0) =>
  ask('PATCH', MEDIA_ID, { 'content-type': BYTES, 'upload-offset': `${offset}` }, body);

/** A PATCH whose body the test writes. */
function slowPatch() {
  const request = httpRequest(`${gateway.url}/api/uploads/${MEDIA_ID}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${gateway.token}`,
      'content-type': BYTES,
      'content-length': `${40 * MB}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
    },
  });
  request.on('error', () => undefined);
  const status = once(request, 'response').then(([response]: IncomingMessage[]) => {
    response!.resume();
    return response!.statusCode;
  });
  status.catch(() => undefined);
  return { request, status };
}

// Rule: MEDIA-9
describe('an upload by tus', () => {
  it('goes to media and back with the headers of the protocol, and no others', async () => {
    await start(answers);
    const metadata = 'filename Y2xpcC5tcDQ=,filetype dmlkZW8vbXA0';
    const created = await ask('POST', '', {
      'upload-length': '100',
      'upload-metadata': metadata,
      'idempotency-key': 'k1',
      cookie: 'secret=1',
    });
    expect([created.status, created.headers.get('location'), created.headers.get('tus-resumable')]).toEqual([
      201,
      `/api/uploads/${MEDIA_ID}`,
      '1.0.0',
    ]);
    expect(created.headers.has('access-control-allow-origin')).toBe(false);
    expect(created.headers.has('pulso-after')).toBe(true);
    const [{ url, headers }] = listener.requests as [IncomingMessage];
    expect([url, headers]).toEqual([
      '/uploads',
      expect.objectContaining({
        authorization: `Bearer ${gateway.token}`,
        'tus-resumable': '1.0.0',
        'upload-length': '100',
        'upload-metadata': metadata,
        'idempotency-key': 'k1',
      }),
    ]);
    expect(headers).not.toHaveProperty('cookie');

    const head = await ask('HEAD', MEDIA_ID);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      ...{ 'upload-offset': '7', 'upload-length': '100', 'cache-control': 'no-store' },
    });
    const options = await fetch(`${gateway.url}/api/uploads`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('tus-extension')]).toEqual([204, 'creation']);
    const body = Buffer.from('bytes of a video');
    const went = await patch(body);
    expect([went.status, went.headers.get('upload-offset')]).toEqual([204, `${body.length}`]);
    expect(taken.at(-1)).toEqual(body);
    expect(listener.requests.at(-1)!.headers).toMatchObject({ 'content-type': BYTES, 'upload-offset': '0' });
    expect((await ask('DELETE', MEDIA_ID)).status).toBe(204);
    expect(listener.requests.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'POST /uploads',
      `HEAD /uploads/${MEDIA_ID}`,
      'OPTIONS /uploads',
      `PATCH /uploads/${MEDIA_ID}`,
      `DELETE /uploads/${MEDIA_ID}`,
    ]);
    const tellsMethods = await ask('GET', MEDIA_ID);
    expect([tellsMethods.status, tellsMethods.headers.get('allow')]).toEqual([
      405,
      'DELETE, HEAD, OPTIONS, PATCH',
    ]);
  });

  it('is refused as a problem by our rules, and in the library’s words by its own', async () => {
    let answer = (_response: ServerResponse): void => undefined;
    await start((request, response) => {
      request.resume();
      answer(response);
    });
    answer = (response) =>
      refuse(response, 422, { code: 'unsupported-media', message: 'Invalid file type.' });
    const ours = await ask('POST', '', { 'upload-length': '1' });
    expect([ours.status, ours.headers.get('content-type')]).toEqual([
      422,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await ours.json()).toMatchObject({ code: 'unsupported-media', detail: 'Invalid file type.' });
    answer = (response) =>
      response.writeHead(409, { 'content-type': 'text/plain' }).end('Upload-Offset conflict\n');
    const theirs = await patch(Buffer.from('x'), 5);
    expect([theirs.status, theirs.headers.get('tus-resumable'), await theirs.text()]).toEqual([
      409,
      '1.0.0',
      'Upload-Offset conflict\n',
    ]);
    answer = (response) => response.writeHead(500, { 'content-type': 'text/plain' }).end('secret');
    expect(await (await patch(Buffer.from('x'))).json()).toMatchObject({ status: 500, code: 'internal' });
    answer = (response) => response.writeHead(404).end();
    expect((await ask('HEAD', MEDIA_ID)).status).toBe(404);
  });

  // Rule: MEDIA-23
  it('hands on all that has come when its sender leaves, as if it had ended there', async () => {
    await start(answers);
    const { request } = slowPatch();
    const sent = new Promise((resolve) => request.write(Buffer.alloc(3 * MB, 1), resolve));
    await until(() => listener.requests.length === 1, { what: 'the upload at media' });
    expect(listener.requests[0]!.headers).not.toHaveProperty('content-length');
    await sent;
    request.destroy();
    await until(() => taken.length === 1, { what: 'the end of the body at media' });
    expect(taken[0]!.length).toBeGreaterThan(0);
    expect(taken[0]!.every((byte) => byte === 1)).toBe(true);
  });

  // Rule: MEDIA-23, LIMIT-17
  it('that comes too slowly is 408, and what has come is kept', async () => {
    const pace = { bytes: 1000, bytesWhenCrowded: 1000, everyMs: 30 };
    await start(answers, { mediaLimits: { pieces: { pace } } });
    const { request, status } = slowPatch();
    request.write('the begin');
    expect(await status).toBe(408);
    expect(taken.map(String)).toEqual(['the begin']);
  });

  // Rule: LIMIT-17
  it('waits for its turn, and holds up no picture', async () => {
    const held: (() => void)[] = [];
    await start(
      async (request, response) => {
        await new Promise<void>((go) => held.push(go));
        await answers(request, response);
      },
      { mediaLimits: { pieces: { perAccount: 1 } } },
    );
    const [first, second] = [patch(Buffer.from('a')), patch(Buffer.from('b'))];
    await until(() => held.length === 1, { what: 'the first part at media' });
    const form = new FormData();
    form.set('file', new Blob(['x'], { type: 'video/mp4' }), 'x.mp4');
    const small = fetch(`${gateway.url}/api/media/videos`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${gateway.token}` },
    });
    await until(() => held.length === 2, { what: 'a file beside it' });
    expect(listener.requests[1]!.url).toBe('/videos');
    for (const go of held.splice(0)) go();
    await until(() => held.length === 1, { what: 'the second part at media' });
    held.shift()!();
    expect([(await first).status, (await second).status]).toEqual([204, 204]);
    await small;
  });

  // Rule: LIMIT-10
  it('counts what has come of it for its address', async () => {
    // 40 MB a day.
    await start(answers, { RATE_LIMIT_FACTOR: 0.02 });
    expect((await patch(Buffer.alloc(41 * MB))).status).toBe(204);
    const refused = await patch(Buffer.alloc(1));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, `${24 * 60 * 60}`]);
  });

  it('of more than a video may have is refused before any byte is taken', async () => {
    await start(answers);
    const large = httpRequest(`${gateway.url}/api/uploads/${MEDIA_ID}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${gateway.token}`,
        'content-type': BYTES,
        'content-length': `${50 * MB + 1}`,
      },
    });
    large.on('error', () => undefined);
    large.flushHeaders();
    const [response] = (await once(large, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    large.destroy();
  });
});

describe('a small video', () => {
  const video = Video.fromPartial({
    facts: {
      ...{
        id: MEDIA_ID,
        version: 1,
        status: VideoStatus.VIDEO_STATUS_READY,
        name: 'a.mp4',
        type: 'video/mp4',
      },
      ...{ bytes: 9, durationMs: 2_500, width: 640, height: 360 },
    },
    url: '/media/x/video',
    thumbnail: '/media/x/thumbnail',
  });
  const shown = {
    ...{ type: 'upload', id: MEDIA_ID, status: 'ready', problem: null },
    ...{ url: '/media/x/video', thumbnail: '/media/x/thumbnail' },
    metadata: { duration: 2.5, size: 9, name: 'a.mp4', type: 'video/mp4', width: 640, height: 360 },
  };

  // Rule: MEDIA-9
  it('comes in one request, and is read by its id', async () => {
    await start(async (request, response) => {
      taken.push(await bodyOf(request));
      response.writeHead(201, { 'content-type': 'application/x-protobuf' }).end(Video.encode(video).finish());
    });
    const form = new FormData();
    form.set('file', new Blob(['the file'], { type: 'video/mp4' }), 'a.mp4');
    const response = await fetch(`${gateway.url}/api/media/videos`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${gateway.token}` },
    });
    expect([response.status, await response.json()]).toEqual([201, shown]);
    expect(String(taken[0])).toContain('the file');
    gateway.media.getAsset = () => Promise.resolve({ video });
    expect(await (await gateway.call('GET', `/api/media/${MEDIA_ID}`)).json()).toEqual(shown);
    const { facts } = video;
    const failed = { status: VideoStatus.VIDEO_STATUS_FAILED, problem: 'Failed to load video metadata' };
    gateway.media.getAsset = () => Promise.resolve({ video: { ...video, facts: { ...facts!, ...failed } } });
    expect(await (await gateway.call('GET', `/api/media/${MEDIA_ID}`)).json()).toMatchObject({
      ...{ status: 'failed', problem: 'Failed to load video metadata' },
    });
  });
});
