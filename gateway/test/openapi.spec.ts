import { buildDocument } from '../src/build-document.js';
import { ERROR_CODES } from '../src/errors/error-table.js';
import { badInputs } from './bad-input.table.js';
import { COMMENT_ID, CONVERSATION_ID, POST_ID, SESSION_ID, USER_ID } from './support/fake-clients.js';
import { MEDIA_ID } from './support/fake-media.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

interface Schema {
  $ref?: string;
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  oneOf?: Schema[];
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  examples?: unknown[];
}

interface Operation {
  operationId: string;
  security: Record<string, unknown[]>[];
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
}

interface Answer {
  content?: Record<string, { schema: Schema }>;
  headers?: Record<string, { $ref: string }>;
}

interface Document {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, object>;
    responses: Record<string, Answer>;
  };
}

let gateway: TestGateway;
let document: Document;

beforeAll(async () => {
  gateway = await startTestGateway();
  document = (await (await gateway.call('GET', '/api/openapi.json', { token: null })).json()) as Document;
});
afterAll(() => gateway?.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

/** Reads every schema that is sent, following names, and fails on what does not fit. */
function check(value: unknown, schema: Schema, at: string): void {
  if (schema.$ref) return check(value, document.components.schemas[schema.$ref.split('/').at(-1)!]!, at);
  if (schema.anyOf) {
    const chosen = schema.anyOf.find(({ type }) => (type === 'null') === (value === null));
    expect([at, chosen]).toEqual([at, expect.anything()]);
    return check(value, chosen!, at);
  }
  if (schema.oneOf) {
    const { type } = value as { type: unknown };
    return check(
      value,
      schema.oneOf.find(({ properties }) => properties?.type?.const === type)!,
      at,
    );
  }
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types = [schema.type ?? actual].flat().map((type) => (type === 'integer' ? 'number' : type));
  expect([at, types]).toEqual([at, expect.arrayContaining([actual])]);
  if (schema.enum) expect(schema.enum).toContain(value);
  if (actual === 'array')
    (value as unknown[]).forEach((item, index) => check(item, schema.items!, `${at}.${index}`));
  if (actual !== 'object') return;
  const fields = value as Record<string, unknown>;
  expect([at, Object.keys(fields)]).toEqual([at, expect.arrayContaining(schema.required ?? [])]);
  for (const [name, field] of Object.entries(fields)) {
    // An object without named fields is a map.
    const own = schema.properties ? schema.properties[name] : schema.additionalProperties;
    expect([`${at}.${name}`, own]).toEqual([`${at}.${name}`, expect.anything()]);
    check(field, own!, `${at}.${name}`);
  }
}

// Rule: HTTP-24
describe('the OpenAPI document', () => {
  it('is the one that is written without a gateway', async () => {
    expect(JSON.parse(JSON.stringify(await buildDocument()))).toEqual(document);
  });

  it('is 3.1, with a unique operationId for each call', () => {
    expect(document.openapi).toBe('3.1.0');
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has every call, and no other', () => {
    const calls = badInputs({
      postId: POST_ID,
      commentId: COMMENT_ID,
      userId: USER_ID,
      sessionId: SESSION_ID,
      conversationId: CONVERSATION_ID,
      username: '{username}',
    }).map(({ call }) =>
      call
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}(_[0-9a-f-]{36})?/, '{id}')
        .replace('/avatars/A.svg', '/avatars/{letter}.svg')
        .replace('/full', '/{variant}'),
    );
    expect(calls.sort()).toEqual(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it('names every parameter of every path', () => {
    for (const { path, operation } of operations()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const given = operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      expect([path, given]).toEqual([path, named]);
    }
  });

  it('refers only to what it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!);
  });

  it('tells every error code', () => {
    for (const code of ERROR_CODES) expect(document.info.description).toContain(`\`${code}\``);
  });

  it('has examples that fit their schemas', () => {
    const withExamples = Object.entries(document.components.schemas).filter(([, { examples }]) => examples);
    expect(withExamples.length).toBeGreaterThan(15);
    for (const [name, schema] of withExamples) check(schema.examples![0], schema, name);
  });

  // Rule: HTTP-25
  it('shows an example of every schema', () => {
    for (const [name, { examples }] of Object.entries(document.components.schemas)) {
      expect([name, examples]).toEqual([name, [expect.any(Object)]]);
    }
  });

  // Rule: HTTP-25
  it('declares the headers that clients use, and no other', () => {
    const { headers, responses } = document.components;
    const used = new Set<string>();
    const given = (of: { headers?: Record<string, { $ref: string }> } | undefined) =>
      Object.entries(of?.headers ?? {}).map(([name, { $ref }]) => {
        const id = $ref.split('/').at(-1)!;
        expect(headers).toHaveProperty(id);
        used.add(id);
        return name;
      });
    expect(given(responses.MethodNotAllowed)).toEqual(['Allow']);
    for (const { method, path, operation } of operations()) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const names = given(response);
        const at = `${method} ${path} ${status}`;
        expect([at, names.includes('Pulso-After')]).toEqual([at, method !== 'GET']);
        expect([at, names.includes('Retry-After')]).toEqual([at, status === '429' || status === '503']);
      }
      const isConditional = operation.responses['304'] !== undefined;
      expect([path, given(operation.responses['200']).includes('ETag')]).toEqual([path, isConditional]);
    }
    for (const path of ['signup', 'login', 'refresh', 'logout']) {
      const { responses: answers } = document.paths[`/api/auth/${path}`]!.post!;
      const success = Object.entries(answers).find(([status]) => status.startsWith('2'))!;
      expect([path, given(success[1])]).toEqual([path, expect.arrayContaining(['Set-Cookie'])]);
    }
    expect([...used].sort()).toEqual(Object.keys(headers).sort());
  });

  it('tells the shape of a cursor, which is never empty', () => {
    const { parameters } = document.paths['/api/feed']!.get!;
    expect(parameters.find(({ name }) => name === 'cursor')).toMatchObject({
      schema: { minLength: 1, maxLength: 2048, pattern: expect.any(String) },
    });
  });

  it('tells how a body is refused by each write, also by those that take none', () => {
    const readNone = ['/unsubscribe', '/api/stripe/webhook', '/api/me/archive'];
    const writes = operations().filter(
      ({ method, path }) => !(method === 'GET' || (method === 'POST' && readNone.includes(path))),
    );
    expect(writes.length).toBeGreaterThan(15);
    for (const { method, path, operation } of writes) {
      const given = Object.keys(operation.responses);
      expect([method, path, given]).toEqual([method, path, expect.arrayContaining(['400', '413', '415'])]);
    }
  });

  /** Every string, list and number of a body that has no end, by its path. */
  function endless(schema: Schema, at: string): string[] {
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => endless(one, at));
    const fields = Object.entries(schema.properties ?? {});
    parts.push(...fields.flatMap(([name, field]) => endless(field, `${at}.${name}`)));
    if (schema.items) parts.push(...endless(schema.items, `${at}.0`));
    const types = [schema.type].flat();
    const isFixed = schema.enum !== undefined || schema.const !== undefined;
    if (types.includes('string') && !isFixed && schema.maxLength === undefined) parts.push(at);
    if (types.includes('array') && schema.maxItems === undefined) parts.push(at);
    if (types.includes('number') || types.includes('integer')) {
      if (schema.minimum === undefined || schema.maximum === undefined) parts.push(at);
    }
    return parts;
  }

  it('gives every part of every body its limit', () => {
    const bodies = operations().flatMap(({ operation }) => operation.requestBody ?? []);
    expect(bodies.length).toBeGreaterThan(7);
    for (const { content } of bodies) {
      const [{ schema }] = Object.values(content) as [{ schema: Schema }];
      const name = schema.$ref?.split('/').at(-1);
      expect(endless(name ? document.components.schemas[name]! : schema, name ?? 'form')).toEqual([]);
    }
  });

  it.each([
    ['SignUp', 'name', { maxLength: 80 }],
    ['SignUp', 'username', { minLength: 3, maxLength: 30 }],
    ['SignUp', 'email', { maxLength: 254 }],
    ['SignUp', 'password', { minLength: 6, maxLength: 128 }],
    ['SignUp', 'bio', { maxLength: 2000 }],
    ['SignUp', 'specialties', { maxItems: 20, items: { type: 'string', maxLength: 40 } }],
    ['UpdateMe', 'subscriptionPrice', { minimum: 0, maximum: 100_000, multipleOf: 0.5 }],
    ['NewPost', 'content', { maxLength: 10_000 }],
    ['NewPost', 'images', { maxItems: 10 }],
    ['NewComment', 'content', { maxLength: 2000 }],
    ['PutReview', 'comment', { maxLength: 2000 }],
    ['PutReview', 'rating', { minimum: 1, maximum: 5 }],
    ['NewReport', 'note', { maxLength: 1000 }],
    ['NewMessage', 'content', { maxLength: 4000 }],
  ])('tells the limit of %s.%s', (name, field, limit) => {
    expect(document.components.schemas[name]!.properties![field]).toMatchObject(limit);
  });

  it('describes what is really answered', async () => {
    const paths = ['/api/me', `/api/users/${USER_ID}`, '/api/feed', `/api/posts/${POST_ID}`, '/api/config'];
    const people = [
      '/api/coaches',
      '/api/people',
      '/api/specialties',
      '/api/me/blocks',
      `/api/users/${USER_ID}/followers`,
    ];
    paths.push(...people, `/api/coaches/${USER_ID}/reviews`);
    for (const path of [
      ...paths,
      '/api/auth/password-policy',
      `/api/posts/${POST_ID}/comments`,
      `/api/posts/${POST_ID}/likes`,
      '/api/conversations',
      `/api/conversations/${CONVERSATION_ID}/messages`,
      '/api/notifications',
      '/api/badges',
      '/api/subscriptions',
      '/api/dashboard',
      '/api/storage',
      `/api/media/${MEDIA_ID}`,
    ]) {
      const template = path
        .replace(CONVERSATION_ID, '{id}')
        .replace(USER_ID, '{id}')
        .replace(MEDIA_ID, '{id}')
        .replace(POST_ID, '{id}');
      const { schema } = document.paths[template]!.get!.responses['200']!.content!['application/json']!;
      check(await (await gateway.call('GET', path)).json(), schema, path);
    }
    const problem = await (await gateway.call('GET', '/api/feed?limit=0')).json();
    check(problem, document.components.schemas.Problem!, 'problem');
  });
});

describe('the page to read it by', () => {
  const get = (path: string) => gateway.call('GET', path, { token: null });

  it('is Swagger UI over the document, whose scripts and styles are files of our own origin', async () => {
    const response = await get('/api/docs');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    const page = await response.text();
    const files = [...page.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, file]) => file!);
    expect(files).toEqual([
      '/api/docs/swagger-ui.css',
      '/api/docs/swagger-ui-bundle.js',
      '/api/docs/swagger-initializer.js',
    ]);
    for (const file of files) {
      const answer = await get(file);
      expect([file, answer.status, answer.headers.get('content-type')]).toEqual([
        file,
        200,
        expect.stringMatching(file.endsWith('.css') ? /^text\/css/ : /^(text|application)\/javascript/),
      ]);
      expect((await answer.text()).length).toBeGreaterThan(100);
    }
    expect(await (await get('/api/docs/swagger-initializer.js')).text()).toContain("'/api/openapi.json'");
    // The CSP refuses scripts within the page and handlers in attributes.
    expect(page).not.toMatch(/<script[^>]*>[^<]|<script>|<style|\son\w+=/);
  });

  it('has the row of each error code that a problem links to', async () => {
    const { type } = (await (await get('/api/nope')).json()) as { type: string };
    expect(type).toBe('/api/docs#error-not-found');
    const page = await (await get('/api/docs')).text();
    for (const code of ERROR_CODES) expect(page).toContain(`<tr id="error-${code}">`);
  });

  it('serves no other file of the package', async () => {
    for (const file of ['package.json', 'index.html', 'nothing.js', '..%2fpackage.json']) {
      const answer = await get(`/api/docs/${file}`);
      expect([file, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        file,
        404,
        'not-found',
      ]);
    }
  });
});

// Rule: ACCT-20
it('says that logout needs neither cookie nor token, and refreshing the cookie', () => {
  const schemes = (path: string) => document.paths[path]!.post!.security.map((one) => Object.keys(one));
  expect(schemes('/api/auth/logout')).toEqual([[], ['refreshCookie'], ['accessToken']]);
  expect(schemes('/api/auth/refresh')).toEqual([['refreshCookie']]);
});

// Rule: ACCT-6
it('says how long a password may be', () => {
  for (const [name, field] of [
    ['SignUp', 'password'],
    ['Login', 'password'],
    ['UpdateMe', 'currentPassword'],
  ] as const) {
    expect(document.components.schemas[name]!.properties![field]!.maxLength).toBe(128);
  }
});
