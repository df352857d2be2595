import type { Call, Json } from './bad-input.calls.js';
import { choice, type FieldCases, images, required, someId, text, video, wrong } from './bad-input.fields.js';

const SOURCE_ID = '0191b2d3-6c7e-7f80-8a1b-2c3d4e5f6071';
const post = { sourceId: SOURCE_ID, content: 'Hello' };
const comment = { sourceId: SOURCE_ID, postSourceId: SOURCE_ID, content: 'Well done' };

/** A list of `list`, each refused for a field of its second item. */
const itemsOf =
  (list: string, valid: Json, most: number, fields: Record<string, FieldCases>): FieldCases =>
  () => [
    { name: 'null', value: null },
    ...wrong('x', 1, {}, true),
    { name: 'with a text', value: ['x'], at: `${list}.0` },
    { name: 'with an unknown field', value: [{ ...valid, createdAt: 1 }], at: `${list}.0.createdAt` },
    { name: `of ${most + 1}`, value: Array.from({ length: most + 1 }, () => valid) },
    ...Object.entries(fields).flatMap(([field, cases]) =>
      cases(valid[field]).map(({ name, value, at = field, byService }) => ({
        name: `with ${field} ${name}`,
        value: [valid, { ...valid, [field]: value }],
        at: `${list}.1.${at}`,
        byService,
      })),
    ),
  ];

/** Of which the gateway judges the type alone; the rest is for posts to judge. */
const sourceId: FieldCases = (valid) => [
  ...someId(valid),
  ...['', 'x', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'].map((value) => ({
    name: `that is none (${value})`,
    value,
    byService: true as const,
  })),
];

const editedAt: FieldCases = () => [
  ...wrong(1, true, {}, []),
  ...['', 'yesterday', '2024-13-01T00:00:00Z', '2024-01-01', '2024-01-01T00:00:00+01:00'].map((value) => ({
    name: `that is no time (${value})`,
    value,
  })),
];

const ids: FieldCases = () => [
  { name: 'null', value: null },
  ...wrong('x', 1, {}, true),
  { name: 'of 201', value: Array.from({ length: 201 }, () => 'x') },
];

const path = '/api/me/import';

export const IMPORT_CALLS: Call[] = [
  { method: 'GET', path: () => path, access: 'private' },
  {
    method: 'POST',
    path: () => path,
    access: 'private',
    body: { valid: { sourceUserId: SOURCE_ID }, fields: { sourceUserId: required(sourceId) } },
  },
  {
    method: 'POST',
    path: () => `${path}/pending`,
    access: 'private',
    body: { name: 'PendingImports', valid: { posts: [SOURCE_ID] }, fields: { posts: ids, comments: ids } },
  },
  {
    method: 'POST',
    path: () => `${path}/posts`,
    access: 'private',
    body: {
      name: 'ImportPosts',
      valid: { posts: [post] },
      fields: {
        posts: required(
          itemsOf('posts', post, 20, {
            ...{ sourceId: required(sourceId), content: text(10_000), visibility: choice },
            ...{ images, video, editedAt },
          }),
        ),
      },
    },
  },
  {
    method: 'POST',
    path: () => `${path}/comments`,
    access: 'private',
    body: {
      name: 'ImportComments',
      valid: { comments: [comment] },
      fields: {
        comments: required(
          itemsOf('comments', comment, 100, {
            ...{ sourceId: required(sourceId), postSourceId: required(someId) },
            content: required(text(2000, { filled: 'by service' })),
          }),
        ),
      },
    },
  },
];
