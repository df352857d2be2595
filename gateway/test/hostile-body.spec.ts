import { jest } from '@jest/globals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { PROPERTY_LIMIT, propertyRuns } from '@pulso/platform/testing/property-limit';
import fc from 'fast-check';
import { BODY_BYTES } from '../src/http/endpoint.js';
import type { Problem } from '../src/errors/problem.js';
import { CALLS, type Call } from './bad-input.calls.js';
import { COMMENT_ID, CONVERSATION_ID, POST_ID, SESSION_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const MOST_ANSWERED = 16_000;
/** What validation may look at: the longest valid body, ten pictures with their texts, has some 50 values. */
const MOST_READ = 500;

const ids = {
  postId: POST_ID,
  commentId: COMMENT_ID,
  userId: USER_ID,
  sessionId: SESSION_ID,
  conversationId: CONVERSATION_ID,
  username: 'ana-torres',
};
const takesJson = ({ method, ignoresBody, form, bytes }: Call) =>
  method !== 'GET' && !ignoresBody && !form && !bytes;
const writes = CALLS.filter(takesJson).map((call) => {
  const path = call.path(ids);
  const isPost =
    /^\/api\/(posts(\/[^/]+)?|me\/import\/(posts|comments))$/.test(path) && call.body !== undefined;
  const kind = isPost ? 'post' : 'usual';
  const route = `${call.method} ${path}`;
  return { ...call, route, path, limit: BODY_BYTES[kind] };
});

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.tokenFor(USER_ID);
});
afterAll(() => gateway?.close());

async function send({ method, path }: { method: string; path: string }, body: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(gateway.url + path, { method, headers, body });
  return { status: response.status, text: await response.text() };
}

/** How often values of `body` are read between its parsing and the answer: whatever is validated is read. */
async function readsOf(body: string, request: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  const counted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : new Proxy(value, {
          get(target, name, receiver) {
            reads += 1;
            return counted(Reflect.get(target, name, receiver));
          },
        });
  const parse = JSON.parse;
  jest.spyOn(JSON, 'parse').mockImplementation((text: string, ...more) => {
    const value: unknown = parse(text, ...more);
    return text === body ? counted(value) : value;
  });
  try {
    await request();
  } finally {
    jest.restoreAllMocks();
  }
  return reads;
}

/** As many of `piece` as fit between the ends: the whole is at most `limit` bytes. */
function filled(
  limit: number,
  start: string,
  piece: (index: number) => string,
  end: string,
  comma = ',',
): string {
  const pieces: string[] = [];
  let left = limit - Buffer.byteLength(start + end);
  for (let index = 0; ; index += 1) {
    const next = piece(index);
    left -= Buffer.byteLength(next) + comma.length;
    if (left < 0) break;
    pieces.push(next);
  }
  return start + pieces.join(comma) + end;
}

type Body = (call: { body?: Call['body']; limit: number }) => string;

const VALUES = [
  '1',
  '""',
  '"\\u0001"',
  'null',
  '{}',
  '[]',
  '"Yoga"',
  '{"id":1}',
  '{"id":"x","a":1}',
  '-1e308',
];
const LETTERS = ['a', ' ', '\\u0001', '\\ud800', '\\u200b', 'é', '💪', '\\r\\n'];

/** The valid body with one field replaced, or with a new one. */
const inField = (field: number, content: (limit: number) => string): Body => {
  return ({ body, limit }) => {
    const valid = body?.valid ?? {};
    const names = [...Object.keys(body?.fields ?? {}), 'unknown'];
    const name = names[field % names.length]!;
    const start = JSON.stringify({ ...valid, [name]: 0 }).replace(`"${name}":0`, `"${name}":`);
    const at = start.indexOf(`"${name}":`) + name.length + 3;
    return start.slice(0, at) + content(limit - start.length) + start.slice(at);
  };
};
const wholly =
  (content: (limit: number) => string): Body =>
  ({ limit }) =>
    content(limit);
const listOf = (value: string) => (limit: number) => filled(limit, '[', () => value, ']');
const textOf = (letter: string) => (limit: number) => filled(limit, '"', () => letter, '"', '');
const deep = (limit: number) => '['.repeat(limit / 2 - 2) + ']'.repeat(limit / 2 - 2);
const fields = (name: (index: number) => string) => (limit: number) =>
  filled(limit, '{', (index) => `"${name(index)}":1`, '}');
const names = (letter: string, length: number) => (index: number) => `${letter.repeat(length)}${index}`;

const field = fc.nat(20);
const anyContent = fc.oneof(
  fc.constantFrom(...VALUES).map(listOf),
  fc.constantFrom(...LETTERS).map(textOf),
  fc.constant(deep),
  fc.tuple(fc.constantFrom('a', '\\u0001', '💪'), fc.constantFrom(0, 60, 5_000)).map(([letter, length]) => {
    return fields(names(letter, length));
  }),
);
const anyBody: fc.Arbitrary<Body> = fc.oneof(
  fc.tuple(field, anyContent).map(([name, content]) => inField(name, content)),
  anyContent.map(wholly),
);
/** What took longest before texts' lengths and the number of values were checked first. */
const SLOWEST: Body[] = [
  inField(0, textOf('\\r\\n')),
  wholly(deep),
  wholly(fields(names('a', 0))),
  inField(0, listOf('{}')),
];
const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);

describe.each(writes)('$route', (call) => {
  it('answers any body up to its limit shortly, and reads few of its values', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, async (make) => {
        const body = make(call);
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(call.limit);
        let answer = { status: 0, text: '' };
        const reads = await readsOf(body, async () => (answer = await send(call, body)));
        expect([answer.status, answer.text.length <= MOST_ANSWERED]).toEqual([expect.any(Number), true]);
        expect(answer.status).toBeLessThan(500);
        expect(reads).toBeLessThan(MOST_READ);
      }),
      {
        ...PROPERTY_LIMIT,
        numRuns: propertyRuns(call.body ? 40 : 8),
        examples: SLOWEST.map((body) => [body]),
      },
    );
  });

  // Rule: HTTP-8
  it('refuses a body over its limit, and says what that is', async () => {
    const { status, text } = await send(call, JSON.stringify({ content: 'a'.repeat(call.limit) }));
    expect(status).toBe(413);
    expect((JSON.parse(text) as Problem).detail).toBe(`The body is over ${call.limit / 1024} KiB.`);
  });
});

describe('a refusal', () => {
  const problemOf = async (json: Record<string, unknown>, path = '/api/auth/signup', method = 'POST') => {
    const { text } = await send({ method, path }, JSON.stringify(json));
    return JSON.parse(text) as Problem;
  };

  // Rule: HTTP-15
  it('names 25 fields at most', async () => {
    const unknown = Object.fromEntries(times(3_000, 1).map((value, index) => [`field${index}`, value]));
    expect((await problemOf(unknown)).errors).toHaveLength(25);
    expect((await problemOf({ specialties: times(60, 1) })).errors).toHaveLength(25);
  });

  it('does not look at the items of a list that is too long', async () => {
    const valid = {
      email: 'new@example.com',
      password: 'a long sentence',
      name: 'New',
      username: 'new-user',
    };
    expect((await problemOf({ ...valid, specialties: times(101, 1) })).errors).toEqual([
      { path: 'specialties', code: 'too-many', message: 'Choose at most 20 specialties' },
    ]);
    expect((await problemOf({ images: times(11, 1) }, '/api/posts')).errors).toEqual([
      { path: 'images', code: 'too-many', message: 'Too many files. Maximum: 10 images' },
    ]);
  });

  // Rule: HTTP-31
  it('does not parse a body of too many values, which the caller hears of after the 401', async () => {
    const body = `[${times(4_000, 1).join()}]`;
    const parse = jest.spyOn(JSON, 'parse');
    onTestEnd(() => parse.mockRestore());
    const { text } = await send({ method: 'PATCH', path: '/api/me' }, body);
    expect(JSON.parse(text)).toMatchObject({
      code: 'validation-failed',
      errors: [{ path: '', code: 'too-many', message: 'Has too many values' }],
    });
    const stranger = await gateway.call('PATCH', '/api/me', {
      token: null,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(stranger.status).toBe(401);
    expect(parse.mock.calls.map(([parsed]) => parsed)).not.toContain(body);
  });

  it('cuts the names of unknown fields', async () => {
    const { errors } = await problemOf({ ['x'.repeat(5_000)]: 1 }, '/api/me', 'PATCH');
    expect(errors).toEqual([{ path: 'x'.repeat(64), message: 'Unknown field', code: 'unknown-field' }]);
  });
});

it('takes the longest post there is, also with every character escaped', async () => {
  const escaped = (count: number) => '\\ud83d\\udcaa'.repeat(count);
  const image = (digit: number) =>
    `{"id":"${`${digit}`.repeat(64)}","alt":"${escaped(1_000)}","caption":"${escaped(500)}"}`;
  const images = Array.from({ length: 10 }, (_, digit) => image(digit));
  const body = `{"content":"${escaped(10_000)}","visibility":"subscribers","images":[${images.join()}]}`;
  expect((await send({ method: 'POST', path: '/api/posts' }, body)).status).toBe(201);
});
