import { readFileSync } from 'node:fs';
import { breaksOf } from '../../tools/openapi-breaks.mjs';

interface Schema {
  type?: string | string[];
  required?: string[];
  properties: Record<string, Schema>;
  enum?: string[];
  items: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [rule: string]: unknown;
}

interface Operation {
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: unknown;
  responses: Record<string, { content?: unknown }>;
  security: Record<string, string[]>[];
  summary?: string;
}

interface Document {
  paths: Record<string, Record<'get' | 'post' | 'patch', Operation>>;
  components: { schemas: Record<string, Schema> };
}

const committed = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

function breaksAfter(change: (document: Document) => void): string[] {
  const changed = structuredClone(committed);
  change(changed);
  expect(changed).not.toEqual(committed);
  return breaksOf(committed, changed);
}

const schema = (document: Document, name: string) => document.components.schemas[name]!;
const field = (document: Document, name: string, of: string) => schema(document, name).properties[of]!;
const require = (document: Document, name: string, of: string) => {
  schema(document, name).required = [...(schema(document, name).required ?? []), of];
};
const feed = (document: Document) => document.paths['/api/feed']!.get;
const limit = (document: Document) => feed(document).parameters.find(({ name }) => name === 'limit')!;
const text = { type: 'string' } as Schema;

describe('a change of the HTTP API', () => {
  it.each<[string, (document: Document) => void]>([
    ['a path is gone', ({ paths }) => delete paths['/api/feed']],
    [
      'a method is gone',
      ({ paths }) => delete (paths['/api/posts/{id}'] as Partial<Record<string, Operation>>).patch,
    ],
    ['a status is gone', ({ paths }) => delete paths['/api/posts']!.post.responses['201']],
    ['an answer is gone', ({ paths }) => delete paths['/api/posts']!.post.responses['201']!.content],
    [
      'a field of an answer is gone',
      (d) => delete (schema(d, 'Post').properties as Partial<Schema['properties']>).content,
    ],
    ['a field of an answer may be missing', (d) => schema(d, 'Post').required!.shift()],
    ['a field of an answer may be null', (d) => (field(d, 'Post', 'content').type = ['string', 'null'])],
    ['a field of an answer has another type', (d) => (field(d, 'Post', 'likeCount').type = 'string')],
    ['a count of an answer may be a fraction', (d) => (field(d, 'Post', 'likeCount').type = 'number')],
    ['an answer has another variant', (d) => schema(d, 'Video').oneOf!.push(text)],
    ['a field of a body is needed', (d) => require(d, 'NewPost', 'content')],
    [
      'a new field of a body is needed',
      (d) => {
        schema(d, 'NewPost').properties.mood = text;
        require(d, 'NewPost', 'mood');
      },
    ],
    [
      'a field of a body is gone',
      (d) => delete (schema(d, 'NewPost').properties as Partial<Schema['properties']>).visibility,
    ],
    ['a body takes fewer values', (d) => field(d, 'NewPost', 'visibility').enum!.pop()],
    ['a body takes fewer types', (d) => (field(d, 'UpdateMe', 'subscriptionPrice').type = 'number')],
    ['a body takes fewer variants', (d) => field(d, 'NewPost', 'video').anyOf![0]!.oneOf!.pop()],
    ['a text is to be shorter', (d) => (field(d, 'NewPost', 'content').maxLength = 9_999)],
    ['a text is to be longer', (d) => (field(d, 'NewComment', 'content').minLength = 2)],
    ['a text has a length', (d) => (field(d, 'NewPost', 'visibility').maxLength = 100)],
    ['a text has a pattern', (d) => (field(d, 'SignUp', 'username').pattern = '^[a-z]+$')],
    ['a list is to be shorter', (d) => (field(d, 'NewPost', 'images').maxItems = 9)],
    ['an item is to be shorter', (d) => (field(d, 'SignUp', 'specialties').items.maxLength = 39)],
    ['a number is to be larger', (d) => (field(d, 'PutReview', 'rating').minimum = 2)],
    ['a number is to be smaller', (d) => (field(d, 'PutReview', 'rating').maximum = 4)],
    ['a number has larger steps', (d) => (field(d, 'UpdateMe', 'subscriptionPrice').multipleOf = 1)],
    [
      'a body is needed',
      ({ paths }) => {
        paths['/api/auth/logout']!.post.requestBody = {
          required: true,
          content: { 'application/json': { schema: { type: 'object' } } },
        };
      },
    ],
    [
      'a new parameter is needed',
      (d) => feed(d).parameters.push({ name: 'q', in: 'query', required: true, schema: text }),
    ],
    ['a parameter is needed', (d) => (limit(d).required = true)],
    ['a parameter is gone', (d) => feed(d).parameters.pop()],
    ['a parameter takes less', (d) => (limit(d).schema.maximum = 50)],
    ['a token is needed', ({ paths }) => (paths['/api/posts/{id}']!.get.security = [{ accessToken: [] }])],
    ['another token is needed', (d) => (feed(d).security = [{ refreshCookie: [] }])],
  ])('breaks clients when %s', (_, change) => {
    expect(breaksAfter(change)).not.toEqual([]);
  });

  it.each<[string, (document: Document) => void]>([
    ['a call is new', (d) => (d.paths['/api/new'] = structuredClone(d.paths['/api/feed']!))],
    ['a field of an answer is new', (d) => (schema(d, 'Post').properties.mood = text)],
    ['a field of an answer is never null', (d) => (field(d, 'Post', 'editedAt').type = 'string')],
    ['there is a new error code', (d) => field(d, 'Problem', 'code').enum!.push('made-up-later')],
    ['a status is new', ({ paths }) => (paths['/api/posts']!.post.responses['418'] = {})],
    ['a new field of a body may be left out', (d) => (schema(d, 'NewPost').properties.mood = text)],
    ['a body takes more values', (d) => field(d, 'NewPost', 'visibility').enum!.push('friends')],
    ['a body takes more types', (d) => (field(d, 'NewPost', 'content').type = ['string', 'null'])],
    ['a text may be longer', (d) => (field(d, 'NewPost', 'content').maxLength = 20_000)],
    ['a list may be longer', (d) => (field(d, 'NewPost', 'images').maxItems = 20)],
    [
      'a new parameter may be left out',
      (d) => feed(d).parameters.push({ name: 'q', in: 'query', schema: text }),
    ],
    ['no token is needed', (d) => (feed(d).security = [{}, { accessToken: [] }])],
    ['a text is worded anew', (d) => (feed(d).summary = 'What is new')],
  ])('breaks nobody when %s', (_, change) => {
    expect(breaksAfter(change)).toEqual([]);
  });

  // The library takes a schema with a new example for another schema, and such variants for other variants.
  it.each(['Post', 'Video'])('takes another example of a schema, such as %s, for no break', (name) => {
    expect(breaksAfter((document) => delete schema(document, name).examples)).toEqual([]);
  });

  it('is told by operation and place', () => {
    expect(breaksAfter((d) => (field(d, 'NewPost', 'content').maxLength = 1))).toEqual([
      'POST /api/posts requestBody.content.application/json.schema.properties.content.maxLength: 10000 → 1',
    ]);
  });
});
