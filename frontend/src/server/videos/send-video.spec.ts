import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aSession } from '../../../test/a-post.js';
import { aVideoFile } from '../../../test/a-video.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { fakeUploads } from '../../../test/fake-uploads.js';
import type { FakeUploads } from '../../../test/fake-uploads.js';
import { NetworkError } from '../http/api-error.js';
import { session } from '../session/session.js';
import { deleteUpload, sendVideo } from './send-video.js';

const KIB = 1024;
let server: FakeUploads;
let address: string | undefined;
let accepted: number[];
let over: AbortController;
beforeEach(() => {
  server = fakeUploads();
  fakeGateway();
  session.signIn(aSession('token'));
  [address, accepted, over] = [undefined, [], new AbortController()];
});
afterEach(() => {
  server.restore();
  session.forceSignOut();
});

const send = (file: File) =>
  sendVideo({
    ...{ file, key: 'key-1', signal: over.signal, address: () => address },
    onProgress: () => undefined,
    onAccepted: (bytes) => void accepted.push(bytes),
    onAddress: (given) => void (address = given),
  });
const sizes = (method: string) =>
  server.requests.filter((one) => one.method === method).map(({ size }) => size / KIB);
const failure = (sending: Promise<unknown>) => sending.catch((error: unknown) => error);

// Rule: MEDIA-9
describe('a video', () => {
  it('of 262144 bytes is sent in one request', async () => {
    expect(await send(aVideoFile(262_144))).toBe('v1');
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/media/videos',
        size: 262_144,
        headers: { Authorization: 'Bearer token' },
      },
    ]);
  });

  it('that is larger is sent in chunks that double', async () => {
    expect(await send(aVideoFile(2000 * KIB))).toBe('v1');
    expect(sizes('PATCH')).toEqual([256, 512, 1024, 208]);
    const [creation] = server.requests;
    expect(creation).toMatchObject({
      ...{ method: 'POST', path: '/api/uploads' },
      headers: {
        'Upload-Length': `${2000 * KIB}`,
        'Idempotency-Key': 'key-1',
        Authorization: 'Bearer token',
      },
    });
    expect(creation!.headers['Upload-Metadata']).toBe(
      `filename ${btoa('run.mp4')},filetype ${btoa('video/mp4')}`,
    );
  });

  it('has no chunk of 32 MiB', async () => {
    await send(aVideoFile(52_428_800));
    expect(sizes('PATCH')).toEqual([256, 512, 1024, 2048, 4096, 8192, 16_384, 16_384, 2304]);
  });

  it('goes on where the connection was cut, and sends nothing again', async () => {
    const file = aVideoFile(2000 * KIB);
    server.intercept(({ method }, n) => (method === 'PATCH' && n === 3 ? 'lost' : undefined));
    expect(await failure(send(file))).toBeInstanceOf(NetworkError);
    expect(address).toBe('/api/uploads/v1');
    // Half of the second chunk had come.
    expect(server.received()).toBe(512 * KIB);
    server.intercept(() => undefined);
    server.requests.length = 0;
    expect(await send(file)).toBe('v1');
    expect(server.requests.map(({ method }) => method)).toEqual(['HEAD', 'PATCH', 'PATCH', 'PATCH']);
    expect(sizes('PATCH')).toEqual([256, 512, 720]);
    expect(accepted).toContain(512 * KIB);
  });

  it('of which the server knows nothing any more is begun anew', async () => {
    address = '/api/uploads/v1';
    expect(await send(aVideoFile(300 * KIB))).toBe('v1');
    expect(server.requests.map(({ method }) => method)).toEqual(['HEAD', 'POST', 'PATCH', 'PATCH']);
  });

  it('keeps its upload where the server is only too busy to say how far it is', async () => {
    await send(aVideoFile(300 * KIB));
    server.intercept(() => ({ status: 429 }));
    server.requests.length = 0;
    expect(await failure(send(aVideoFile(300 * KIB)))).toMatchObject({ status: 429 });
    expect(server.requests.map(({ method }) => method)).toEqual(['HEAD']);
    expect(address).toBe('/api/uploads/v1');
  });

  it('that is refused has the reason of the problem document', async () => {
    server.intercept(() => ({
      status: 413,
      body: { code: 'quota-exceeded', detail: 'Storage quota exceeded' },
    }));
    expect(await failure(send(aVideoFile(300 * KIB)))).toMatchObject({ status: 413, code: 'quota-exceeded' });
    server.intercept(() => ({ status: 422, body: 'no video' }));
    expect(await failure(send(aVideoFile(300)))).toMatchObject({ status: 422, code: 'http-422' });
  });

  it('that is ended sends nothing more', async () => {
    server.intercept(() => 'never');
    const sending = failure(send(aVideoFile(300 * KIB)));
    over.abort(new Error('paused'));
    expect(await sending).toMatchObject({ message: 'paused' });
    over = new AbortController();
    server.intercept(() => undefined);
    await send(aVideoFile(300));
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/media/videos']);
  });

  it('is sent by another token where the first is refused', async () => {
    const replaced = session.replace;
    session.replace = async () => 'fresh';
    server.intercept(({ headers }) =>
      headers['Authorization'] === 'Bearer token'
        ? { status: 401, body: { code: 'token-expired' } }
        : undefined,
    );
    expect(await send(aVideoFile(300 * KIB))).toBe('v1');
    session.replace = replaced;
    expect(server.requests.map(({ headers }) => headers['Authorization'])).toEqual([
      'Bearer token',
      ...['Bearer fresh', 'Bearer fresh', 'Bearer fresh'],
    ]);
  });
});

describe('an upload that is deleted', () => {
  it('is deleted on the server, and may be gone', async () => {
    await send(aVideoFile(300 * KIB));
    await deleteUpload(address!);
    await deleteUpload(address!);
    expect(sizes('DELETE')).toHaveLength(2);
    server.intercept(() => ({ status: 500 }));
    expect(await failure(deleteUpload(address!))).toMatchObject({ status: 500 });
  });
});
