import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { PROPERTY_LIMIT, propertyRuns } from '@pulso/platform/testing/property-limit';
import type { Problem } from '../src/errors/problem.js';
import { bareApplication } from '../src/build-document.js';
import { COMMENT_ID, CONVERSATION_ID, POST_ID, SESSION_ID, USER_ID } from './support/fake-clients.js';
import { type FakeListener, MEDIA_ID, startListener } from './support/fake-media.js';
import { type OddRequest, oddRequests } from './support/odd-requests.js';
import { type RawAnswer, rawReader } from './support/raw-answers.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const SEED = Number(process.env['TEST_SEED'] ?? 91);
const RUNS = propertyRuns(600);
const PROBLEM = 'application/problem+json; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
/** There is no payment provider, which is said so (SUBS-3). */
const NO_PROVIDER = 'payments-not-configured';
/** It says so also to HEAD, whose answer has no body to see the code in. */
const WITHOUT_PROVIDER = '/api/stripe/status';
const IDS: Readonly<Record<string, string>> = {
  '/api/posts': POST_ID,
  '/api/comments': COMMENT_ID,
  '/api/conversations': CONVERSATION_ID,
  '/api/auth': SESSION_ID,
  '/api/media': MEDIA_ID,
  '/media': MEDIA_ID,
};

interface Route {
  method: string;
  url: string;
}

let directory: string;
let media: FakeListener;
let gateway: TestGateway;
let routes: Route[];
let errors: string[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pulso-any-url-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Pulso</title>');
  writeFileSync(join(directory, 'page-links.json'), '{}');
  writeFileSync(join(directory, 'assets/app-1.js'), '1');
  media = await startListener((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 1 }).end('x');
  });
  errors = [];
  gateway = await startTestGateway(
    { STATIC_DIR: directory, MEDIA_BYTES_URL: media.url },
    { write: (line) => void (/"level":"(error|fatal)"/.test(line) && errors.push(line)) },
  );
  routes = [];
  const { close } = await bareApplication(({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  await close();
});
beforeEach(() => errors.splice(0));
afterAll(async () => {
  await gateway?.close();
  await media?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A path of a route with good ids, or with something else in place of one of them. */
function pathOf(url: string, { at = -1, part = '' } = {}): string {
  const id = Object.entries(IDS).find(([start]) => url.startsWith(`${start}/`))?.[1] ?? USER_ID;
  let place = -1;
  return url.replace(/:(\w+)/g, (_, name: string) => {
    place += 1;
    if (place === at) return part;
    if (name === 'variant') return 'full';
    return name === 'username' ? 'ana-torres' : name === 'letter' ? 'A' : id;
  });
}

const headOf = ({ method, target, version, hosts, isSignedIn }: OddRequest) => {
  const token = isSignedIn ? [`Authorization: Bearer ${gateway.token}`] : [];
  return [`${method} ${target} ${version}`, ...hosts, ...token, '\r\n'].join('\r\n');
};

/** Sends a request by a connection of its own, and reads its one answer; then the connection must serve or be closed. */
async function answerTo(request: OddRequest): Promise<RawAnswer> {
  const connection = await rawReader(gateway.url);
  connection.send(headOf(request));
  const answer = await connection.answer(request.method);
  if (!answer) throw new Error('The connection has ended without an answer');
  if (answer.headers.get('connection') !== 'close') {
    connection.send('GET /api/config HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect((await connection.answer('GET'))?.status).toBe(200);
  }
  const rest = await connection.rest();
  // A request that the parser refuses has no method yet, so its answer has a body.
  if (request.method === 'HEAD' && rest !== '')
    expect(JSON.parse(rest)).toMatchObject({ status: answer.status });
  else expect(rest).toBe('');
  return answer;
}

/** The path that a target asks for, as RFC 9112 reads it; undefined where it has none. */
function askedPath(target: string): string | undefined {
  const path = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(target)?.[1];
  try {
    return path && decodeURI(path);
  } catch {
    return path;
  }
}

function expectOurs({ method, target }: OddRequest, { status, headers, body }: RawAnswer): void {
  const type = headers.get('content-type');
  const isApi = /^\/(api|media)(\/|$)/.test(askedPath(target) ?? '');
  expect(status).toBeGreaterThanOrEqual(200);
  if (status >= 400 && type !== HTML) {
    expect(type).toBe(PROBLEM);
    if (method !== 'HEAD') {
      const problem = JSON.parse(body) as Problem;
      expect(problem).toMatchObject({ status, type: `/api/docs#error-${problem.code}` });
      if (problem.code === NO_PROVIDER) return;
    }
  }
  if (isApi && status >= 400) expect(type).toBe(PROBLEM);
  if (method === 'HEAD' && status === 503) expect(askedPath(target)).toBe(WITHOUT_PROVIDER);
  else expect(status).toBeLessThan(500);
  for (const name of ['content-security-policy', 'x-content-type-options', 'x-request-id'])
    expect([name, headers.get(name)]).toEqual([name, expect.any(String)]);
}

const plain = (method: string, target: string): OddRequest => ({
  method,
  target,
  version: 'HTTP/1.1',
  hosts: ['Host: x'],
  isSignedIn: true,
});

// Rule: HTTP-14, HTTP-17
describe('any URL', () => {
  it('of a route without one of its parts is a path of no route', async () => {
    const parametric = routes.filter(({ url }) => url.includes(':'));
    expect(parametric.length).toBeGreaterThan(30);
    for (const { method, url } of parametric) {
      const places = [...url.matchAll(/:\w+/g)].keys();
      for (const at of places) {
        const request = plain(method, pathOf(url, { at }));
        const answer = await answerTo(request);
        const code = method === 'HEAD' ? 'not-found' : (JSON.parse(answer.body) as Problem).code;
        const asked = `${method} ${request.target}`;
        expect([asked, answer.status, code]).toEqual([asked, 404, 'not-found']);
        expectOurs(request, answer);
      }
    }
    expect(errors).toEqual([]);
  });

  it('in absolute form is that of its path', async () => {
    const origin = 'http://pulso.example';
    expect(await answerTo(plain('GET', `${origin}/api/me`))).toMatchObject({ status: 200 });
    const unknown = await answerTo(plain('GET', `${origin}/api/nope`));
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, PROBLEM]);
    const page = await answerTo(plain('GET', `${origin}?a=b`));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, HTML]);
  });

  it('is the API’s however its letters are written', async () => {
    for (const target of ['/%61pi/nope', '/api%2Fx/..', '/media/', '/%6dedia']) {
      const answer = await answerTo(plain('GET', target));
      const isApi = !target.includes('%2F');
      expect([target, answer.headers.get('content-type')]).toEqual([target, isApi ? PROBLEM : HTML]);
    }
  });

  it('has our headers, where it is no path', async () => {
    for (const target of ['*', '*api/config', 'ftp://x/api/config', 'http://x:99999/api/config']) {
      for (const method of ['GET', 'DELETE', 'OPTIONS']) {
        const request = plain(method, target);
        const answer = await answerTo(request);
        expectOurs(request, answer);
        const got = [method, target, answer.status, answer.headers.get('content-type')];
        expect(got).toEqual([method, target, 404, PROBLEM]);
      }
    }
  });

  it(`gets one answer, which is a problem or the page, and leaves its connection in order (TEST_SEED=${SEED})`, async () => {
    // A stream of events does not end by itself.
    const paths = [
      ...new Set(routes.map(({ url }) => pathOf(url)).filter((path) => path !== '/api/events')),
      ...[
        '/',
        '/feed',
        '/posts/x',
        `/posts/${POST_ID}`,
        '/users/ana-torres',
        '/assets/app-1.js',
        '/dev/mail/x',
        '/api',
        '/media',
      ],
    ];
    await fc.assert(
      fc.asyncProperty(oddRequests(paths), async (request) => {
        errors.splice(0);
        expectOurs(request, await answerTo(request));
        expect(errors).toEqual([]);
      }),
      { ...PROPERTY_LIMIT, seed: SEED, numRuns: RUNS },
    );
  }, 120_000);

  it('as long as the longest head is no error of media', async () => {
    const path = `/media/${MEDIA_ID}/full?s=`;
    const most = 16 * 1024 - `GET  HTTP/1.1\r\nHost: x\r\n\r\n`.length - path.length;
    const statuses = new Set<number>();
    for (let less = 0; less < 400; less += 20) {
      const request = { ...plain('GET', path + 'a'.repeat(most - less)), isSignedIn: false };
      const answer = await answerTo(request);
      expectOurs(request, answer);
      statuses.add(answer.status);
    }
    expect(statuses).toEqual(new Set([200, 431]));
  });
});
