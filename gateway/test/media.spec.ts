import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { encodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import { until } from '@pulso/platform/testing/until';
import { OTHER_ID, USER_ID } from './support/fake-clients.js';
import {
  anImage,
  type FakeListener,
  type Handle,
  MEDIA_ID,
  refuse,
  startListener,
  takeUpload,
} from './support/fake-media.js';
import { answerTo } from './support/raw-connection.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './support/start-test-gateway.js';

const MB = 1024 * 1024;
const TYPE = 'multipart/form-data; boundary=pulso';
const FILE = Buffer.from('\xff\xd8a picture\xff\xd9', 'latin1');

let listener: FakeListener;
let gateway: TestGateway;

/** Media that does not answer before the test says so. */
const silent: Handle = () => undefined;

async function start(handle: Handle, options: TestGatewayOptions = {}) {
  listener = await startListener(handle);
  gateway = await startTestGateway({ MEDIA_BYTES_URL: listener.url, ...options });
}
const stop = async () => {
  await gateway?.close();
  await listener?.close();
};

function form(file: Uint8Array<ArrayBuffer> = FILE) {
  const data = new FormData();
  data.set('purpose', 'post');
  data.set('originalName', '“ролик” 💪.png');
  data.set('file', new Blob([file], { type: 'image/jpeg' }), 'x.jpg');
  return data;
}

const upload = (file?: Uint8Array<ArrayBuffer>, options: { token?: string; signal?: AbortSignal } = {}) =>
  fetch(`${gateway.url}/api/media/images`, {
    method: 'POST',
    body: form(file),
    headers: { authorization: `Bearer ${options.token ?? gateway.token}` },
    signal: options.signal,
  });

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

/** The head of an upload, and its body as far as the test writes it. */
function slowUpload(headers: Record<string, string> = {}) {
  const request = httpRequest(`${gateway.url}/api/media/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': TYPE, ...headers },
  });
  request.on('error', () => undefined);
  const answer = once(request, 'response').then(async ([response]: IncomingMessage[]) => {
    let text = '';
    for await (const chunk of response!) text += String(chunk);
    return { status: response!.statusCode, connection: response!.headers.connection, text };
  });
  answer.catch(() => undefined);
  return { request, answer };
}

const asked = (count: number) =>
  until(() => listener.requests.length === count, { what: `${count} requests at media` });
const isLeft = (request: IncomingMessage | undefined) =>
  until(() => request!.destroyed && !request!.complete, { what: 'the end of an unfinished upload at media' });

// Rule: HTTP-35, LIMIT-10
describe('an upload', () => {
  afterEach(stop);

  // Rule: HTTP-2
  it('carries what media says that it wrote to the next request', async () => {
    const wrote = [{ topic: 'pulso.media.storage.v1', key: USER_ID, version: 7 }];
    await start(async (request, response) => {
      response.setHeader(WROTE, encodeTokens(wrote));
      await takeUpload(request, response);
    });
    const after = (await upload()).headers.get('pulso-after')!;
    await gateway.call('GET', '/api/storage', { headers: { 'pulso-after': after } });
    const { context } = gateway.calls.find(({ method }) => method === 'getStorage')!;
    expect(context!.after).toMatchObject(wrote);
  });

  it('goes to media as it is, and its answer is an image without texts', async () => {
    let taken = '';
    await start(async (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      await takeUpload(request, response);
      taken = Buffer.concat(chunks).toString();
    });
    const response = await upload();
    expect(response.status).toBe(201);
    expect(response.headers.has('pulso-after')).toBe(true);
    expect(await response.json()).toEqual({
      id: MEDIA_ID,
      url: `/media/${MEDIA_ID}/full?e=0&x=1&k=k1&s=mac`,
      thumbnail: `/media/${MEDIA_ID}/thumbnail?e=0&x=1&k=k1&s=mac`,
      alt: '',
      caption: '',
      blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      metadata: {
        originalName: 'rowing.jpg',
        originalSize: 2_400_000,
        compressedSize: 310_000,
        compressionRatio: 7.74,
        dimensions: { width: 1920, height: 1080 },
      },
    });
    const [{ method, url, headers }] = listener.requests as [IncomingMessage];
    expect([method, url]).toEqual(['POST', '/images']);
    expect(headers).toMatchObject({
      authorization: `Bearer ${gateway.token}`,
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
      'content-length': expect.any(String),
      'x-request-id': response.headers.get('x-request-id'),
    });
    expect(taken).toContain('“ролик” 💪.png');
  });

  it('is refused by its size before any byte is taken, and before it is asked whose it is', async () => {
    await start(silent);
    const head = [
      'POST /api/media/images HTTP/1.1',
      'Host: pulso',
      `Content-Type: ${TYPE}`,
      `Content-Length: ${20 * MB}`,
      'Connection: close',
    ];
    const answer = await answerTo(gateway.url, `${head.join('\r\n')}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 413 .*"detail":"File too large. Maximum size: 10MB"/s);
    expect(listener.requests).toEqual([]);
  });

  it('in chunks is cut where it is too large, and media gets no part of it as a whole', async () => {
    await start((request) => void request.resume());
    const { request, answer } = slowUpload();
    for (let mb = 0; mb < 20; mb += 1) request.write(Buffer.alloc(MB));
    // The rest is read, else the client could not get to its answer.
    const written = once(request, 'finish');
    request.end();
    expect(await answer).toMatchObject({ status: 413, text: expect.stringContaining('"file-too-large"') });
    await written;
    request.destroy();
    await isLeft(listener.requests[0]);
  });

  it.each<[number, { code?: string; message?: string; retryAfter?: number }, [number, string]]>([
    [422, { code: 'unsupported-media', message: 'Invalid file type.' }, [422, 'unsupported-media']],
    [413, { code: 'quota-exceeded', message: 'Storage quota exceeded' }, [413, 'quota-exceeded']],
    [400, { code: 'validation-failed', message: 'No file' }, [400, 'validation-failed']],
    [503, { code: 'unavailable', message: 'Busy', retryAfter: 7 }, [503, 'unavailable']],
    [503, {}, [503, 'unavailable']],
    [408, {}, [408, 'request-timeout']],
    [500, { code: 'of a newer build' }, [500, 'internal']],
  ])('is refused with what media answers: %i %j', async (status, refusal, expected) => {
    await start((request, response) => {
      // Media may refuse before it has read the body.
      refuse(response, status, refusal);
      request.resume();
    });
    const response = await upload(new Uint8Array(5 * MB));
    expect(response.headers.get('retry-after')).toBe(status === 503 ? `${refusal.retryAfter ?? 1}` : null);
    expect(await codeOf(response)).toEqual(expected);
  });

  it('is 503 while media cannot be reached', async () => {
    await start(silent);
    await listener.close();
    expect(await codeOf(await upload())).toEqual([503, 'unavailable']);
    listener = await startListener(silent);
  });

  it('ends at media when the client leaves, and gives its place to the next', async () => {
    await start(silent, { mediaLimits: { uploads: { perAccount: 1 } } });
    const { request } = slowUpload({ 'content-length': `${MB}` });
    request.write('--pulso');
    await asked(1);
    listener.handle = async (...both) => void (await takeUpload(...both));
    const next = upload();
    request.destroy();
    await isLeft(listener.requests[0]);
    expect((await next).status).toBe(201);
  });

  it('waits for its turn: two of an account, and as many of all as the process has places', async () => {
    const held: (() => void)[] = [];
    await start(
      async (request, response) => {
        await new Promise<void>((go) => held.push(go));
        await takeUpload(request, response);
      },
      { mediaLimits: { uploads: { perAddressWhenCrowded: 3, perProcess: 3 } } },
    );
    const own = [upload(), upload(), upload()];
    await asked(2);
    const other = upload(FILE, { token: await gateway.tokenFor(OTHER_ID) });
    await asked(3);
    // A waiting one leaves: nobody gets its place.
    await expect(upload(FILE, { signal: AbortSignal.timeout(20) })).rejects.toThrow();
    held.shift()!();
    await asked(4);
    for (const go of held.splice(0)) go();
    for (const one of [...own, other]) expect((await one).status).toBe(201);
    expect(listener.requests).toHaveLength(4);
  });

  it('is 503 when it has waited too long', async () => {
    await start(silent, { mediaLimits: { uploads: { perAccount: 1, waitMs: 20 } } });
    const { request } = slowUpload();
    request.write('--pulso');
    await asked(1);
    expect(await codeOf(await upload())).toEqual([503, 'unavailable']);
    request.destroy();
  });

  it('is refused for a day when its address has stored two gigabytes, whoever signs up there', async () => {
    const { facts } = anImage();
    const large = { ...anImage(), facts: { ...facts!, bytes: 1_000_000_000 } };
    await start((request, response) => takeUpload(request, response, large).then(() => undefined), {
      RATE_LIMIT_FACTOR: 1,
      TRUSTED_PROXIES: 1,
    });
    const from = async (address: string) => {
      const answer = await fetch(`${gateway.url}/api/media/images`, {
        method: 'POST',
        body: form(),
        headers: { authorization: `Bearer ${await gateway.tokenFor(newId())}`, 'x-forwarded-for': address },
      });
      return [answer.status, answer.headers.get('retry-after')];
    };
    const taken = [201, null];
    expect([await from('203.0.113.7'), await from('203.0.113.7')]).toEqual([taken, taken]);
    expect(await from('203.0.113.7')).toEqual([429, `${24 * 60 * 60}`]);
    expect(await from('203.0.113.8')).toEqual(taken);
    // With its body on its way: closed at once, the client could not read why.
    const { request, answer } = slowUpload({ 'x-forwarded-for': '203.0.113.7', 'content-length': `${MB}` });
    request.write('--pulso');
    expect(await answer).toMatchObject({ status: 429, connection: 'keep-alive' });
    request.destroy();
    gateway.clock.advance(24 * 60 * 60_000);
    expect(await from('203.0.113.7')).toEqual(taken);
    expect(listener.requests).toHaveLength(4);
  });

  it('that comes too slowly is 408, and its connection ends', async () => {
    const pace = { bytes: 1000, bytesWhenCrowded: 1000, everyMs: 30 };
    await start((request) => void request.resume(), { mediaLimits: { uploads: { pace } } });
    const { request, answer } = slowUpload();
    request.write('--pulso');
    expect(await answer).toMatchObject({
      status: 408,
      connection: 'close',
      text: expect.stringContaining('"request-timeout"'),
    });
    await isLeft(listener.requests[0]);
  });

  it('is 503 when media has it all and does not answer', async () => {
    await start((request) => void request.resume(), { mediaLimits: { uploads: { answerMs: 20 } } });
    expect(await codeOf(await upload())).toEqual([503, 'unavailable']);
  });
});
