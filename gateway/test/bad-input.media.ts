import type { Call } from './bad-input.calls.js';

const MEDIA_ID = '0198f2c1-6a3d-7b94-8e05-2c7d1f9a4b60';

/** The calls of images and videos, and of their storage. */
export const MEDIA_CALLS: Call[] = [
  { method: 'POST', path: () => '/api/media/images', access: 'private', form: true },
  { method: 'POST', path: () => '/api/media/videos', access: 'private', form: true },
  { method: 'POST', path: () => '/api/uploads', access: 'private', idempotent: true },
  {
    method: 'PATCH',
    path: () => `/api/uploads/${MEDIA_ID}`,
    access: 'private',
    bytes: 'application/offset+octet-stream',
    badIds: (id) => `/api/uploads/${id}`,
  },
  {
    method: 'DELETE',
    path: () => `/api/uploads/${MEDIA_ID}`,
    access: 'private',
    badIds: (id) => `/api/uploads/${id}`,
  },
  ...(['GET', 'DELETE'] as const).map((method): Call => ({
    method,
    path: () => `/api/media/${MEDIA_ID}`,
    access: 'private',
    badIds: (id) => `/api/media/${id}`,
  })),
  {
    method: 'GET',
    path: () => `/media/${MEDIA_ID}/full`,
    access: 'public',
    badIds: (id) => `/media/${id}/full`,
  },
  { method: 'GET', path: () => '/api/storage', access: 'private' },
];
