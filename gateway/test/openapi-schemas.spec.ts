import { CONVERSATION_ID, POST_ID, USER_ID } from './support/fake-clients.js';
import { MEDIA_ID } from './support/fake-media.js';
import { checkBy, type Document, documentOf, operationsOf, type Schema } from './support/openapi-document.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let document: Document;

beforeAll(async () => {
  gateway = await startTestGateway();
  document = await documentOf(gateway);
});
afterAll(() => gateway?.close());

const check = (value: unknown, schema: Schema, at: string) => checkBy(document, value, schema, at);

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

// Rule: HTTP-24
describe('the schemas of the OpenAPI document', () => {
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

  it('gives every part of every body its limit', () => {
    const bodies = operationsOf(document).flatMap(({ operation }) => operation.requestBody ?? []);
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
    ['ImportPosts', 'posts', { maxItems: 20 }],
    ['ImportComments', 'comments', { maxItems: 100 }],
    ['PendingImports', 'posts', { maxItems: 200 }],
    ['PasskeyPage', 'items', { maxItems: 20 }],
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
