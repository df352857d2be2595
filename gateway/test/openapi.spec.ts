import { buildDocument } from '../src/build-document.js';
import { ERROR_CODES } from '../src/errors/error-table.js';
import { badInputs } from './bad-input.table.js';
import { COMMENT_ID, CONVERSATION_ID, POST_ID, SESSION_ID, USER_ID } from './support/fake-clients.js';
import { type Document, documentOf, operationsOf } from './support/openapi-document.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let document: Document;

beforeAll(async () => {
  gateway = await startTestGateway();
  document = await documentOf(gateway);
});
afterAll(() => gateway?.close());

const operations = () => operationsOf(document);

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
});

// Rule: ACCT-20
it('says that logout needs neither cookie nor token, and refreshing the cookie', () => {
  const schemes = (path: string) => document.paths[path]!.post!.security.map((one) => Object.keys(one));
  expect(schemes('/api/auth/logout')).toEqual([[], ['refreshCookie'], ['accessToken']]);
  expect(schemes('/api/auth/refresh')).toEqual([['refreshCookie']]);
});
