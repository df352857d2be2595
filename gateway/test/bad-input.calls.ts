import {
  choice,
  email,
  type FieldCases,
  emails,
  flag,
  goneVideo,
  images,
  name,
  password,
  price,
  rating,
  required,
  someId,
  specialties,
  text,
  username,
  video,
  wrong,
} from './bad-input.fields.js';
import { AUTH_CALLS } from './bad-input.auth.js';
import { BILLING_CALLS } from './bad-input.billing.js';
import { IMPORT_CALLS } from './bad-input.import.js';
import { MEDIA_CALLS } from './bad-input.media.js';

/** Existing things that the calls below name; e2e fills in real ones. */
export interface Ids {
  postId: string;
  commentId: string;
  userId: string;
  sessionId: string;
  conversationId: string;
  username: string;
}

export type Json = Record<string, unknown>;
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: (ids: Ids) => string;
  access: 'public' | 'private';
  /** `name`: in the OpenAPI document, where a field's text is not that of other bodies. */
  body?: { valid: Json; fields: Record<string, FieldCases>; optional?: true; name?: string };
  /** Takes any body, and does not read it. */
  ignoresBody?: true;
  /** Takes a form, whose parts are the service's to judge. */
  form?: true;
  /** Takes bytes of this media type. */
  bytes?: string;
  paged?: boolean;
  /** Takes a cursor without being a list. */
  takesCursor?: boolean;
  /** The parameters that the call needs. */
  query?: string;
  /** Text parameters of the query. */
  search?: string[];
  idempotent?: boolean;
  /** Paths whose id is malformed. */
  badIds?: (id: string) => string;
}

const OTHER_ID = '0198f2a9-01f4-7d52-8a3c-6e0b9d4f2c18';

const profileFields = {
  name,
  username,
  email,
  bio: text(2000),
  isCoach: flag,
  specialties,
};

/** Every call, with what each of its fields refuses. */
export const CALLS: Call[] = [
  {
    method: 'POST',
    path: () => '/api/auth/signup',
    access: 'public',
    body: {
      valid: { email: 'new@example.com', password: 'a long sentence', name: 'New', username: 'new-user' },
      fields: {
        ...profileFields,
        username: required(username),
        email: required(email),
        password: required(password),
      },
    },
  },
  ...AUTH_CALLS,
  { method: 'GET', path: () => '/api/me', access: 'private' },
  {
    method: 'PATCH',
    path: () => '/api/me',
    access: 'private',
    body: {
      valid: { bio: 'New' },
      fields: {
        ...profileFields,
        name: text(80, { line: true, plain: true, filled: true }),
        currentPassword: password,
        subscriptionPrice: price,
        subscriptionCurrency: choice,
        profileImageId: () => wrong(1, true, {}, []),
        language: choice,
        emails,
      },
    },
  },
  {
    method: 'DELETE',
    path: () => '/api/me',
    access: 'private',
    body: { valid: { password: 'not the present one' }, fields: { password } },
  },
  { method: 'GET', path: () => '/api/me/export', access: 'private' },
  { method: 'GET', path: () => '/api/me/archive', access: 'private' },
  { method: 'POST', path: () => '/api/me/archive', access: 'private', ignoresBody: true },
  { method: 'DELETE', path: () => '/api/me/archive', access: 'private' },
  ...IMPORT_CALLS,
  { method: 'POST', path: () => '/unsubscribe', access: 'public', ignoresBody: true },
  { method: 'GET', path: () => '/api/config', access: 'public' },
  {
    method: 'GET',
    path: ({ userId }) => `/api/users/${userId}`,
    access: 'public',
    badIds: (id) => `/api/users/${id}`,
  },
  {
    method: 'GET',
    path: ({ username: known }) => `/api/users/by-username/${known}`,
    access: 'public',
    badIds: (id) => `/api/users/by-username/${id}`,
  },
  {
    method: 'GET',
    path: ({ userId }) => `/api/users/${userId}/posts`,
    access: 'public',
    paged: true,
    badIds: (id) => `/api/users/${id}/posts`,
  },
  {
    method: 'GET',
    path: () => '/api/avatars/A.svg',
    access: 'public',
    badIds: (id) => `/api/avatars/A${id}.svg`,
  },
  ...MEDIA_CALLS,
  { method: 'GET', path: () => '/api/feed', access: 'private', paged: true },
  {
    method: 'GET',
    path: () => '/api/feed/newer',
    access: 'private',
    query: 'cursor=k.next.mac',
    takesCursor: true,
  },
  {
    method: 'POST',
    path: () => '/api/posts',
    access: 'private',
    idempotent: true,
    body: {
      name: 'NewPost',
      valid: { content: 'Hello' },
      fields: { content: text(10_000), visibility: choice, images, video },
    },
  },
  {
    method: 'GET',
    path: ({ postId }) => `/api/posts/${postId}`,
    access: 'public',
    badIds: (id) => `/api/posts/${id}`,
  },
  {
    method: 'PATCH',
    path: ({ postId }) => `/api/posts/${postId}`,
    access: 'private',
    badIds: (id) => `/api/posts/${id}`,
    body: {
      name: 'EditPost',
      valid: { content: 'Hello again' },
      fields: { content: text(10_000), visibility: choice, images, video: goneVideo },
    },
  },
  {
    method: 'DELETE',
    path: ({ postId }) => `/api/posts/${postId}`,
    access: 'private',
    badIds: (id) => `/api/posts/${id}`,
  },
  ...(['PUT', 'DELETE'] as const).map((method): Call => ({
    method,
    path: ({ postId }) => `/api/posts/${postId}/like`,
    access: 'private',
    badIds: (id) => `/api/posts/${id}/like`,
  })),
  ...['likes', 'comments'].map((list): Call => ({
    method: 'GET',
    path: ({ postId }) => `/api/posts/${postId}/${list}`,
    access: 'public',
    paged: true,
    badIds: (id) => `/api/posts/${id}/${list}`,
  })),
  {
    method: 'POST',
    path: ({ postId }) => `/api/posts/${postId}/comments`,
    access: 'private',
    idempotent: true,
    badIds: (id) => `/api/posts/${id}/comments`,
    body: {
      name: 'NewComment',
      valid: { content: 'Well done' },
      fields: { content: required(text(2000, { filled: 'by service' })) },
    },
  },
  {
    method: 'DELETE',
    path: ({ commentId }) => `/api/comments/${commentId}`,
    access: 'private',
    badIds: (id) => `/api/comments/${id}`,
  },
  ...(['PUT', 'DELETE'] as const).map((method): Call => ({
    method,
    path: ({ commentId }) => `/api/comments/${commentId}/like`,
    access: 'private',
    badIds: (id) => `/api/comments/${id}/like`,
  })),
  ...(['PUT', 'DELETE'] as const).flatMap((method) =>
    ['follow', 'block'].map((what): Call => ({
      method,
      path: ({ userId }) => `/api/users/${userId}/${what}`,
      access: 'private',
      badIds: (id) => `/api/users/${id}/${what}`,
    })),
  ),
  ...['followers', 'following'].map((list): Call => ({
    method: 'GET',
    path: ({ userId }) => `/api/users/${userId}/${list}`,
    access: 'public',
    paged: true,
    badIds: (id) => `/api/users/${id}/${list}`,
  })),
  { method: 'GET', path: () => '/api/me/blocks', access: 'private', paged: true },
  {
    method: 'POST',
    path: () => '/api/reports',
    access: 'private',
    idempotent: true,
    body: {
      valid: {
        subjectType: 'post',
        subjectId: '0198f2b3-5a20-7c81-b4e9-1d7f3a6c8e29',
        reason: 'spam',
        note: '',
      },
      fields: {
        subjectType: required(choice),
        subjectId: required(someId),
        reason: required(choice),
        note: text(1000),
      },
    },
  },
  { method: 'GET', path: () => '/api/coaches', access: 'public', paged: true, search: ['q', 'specialty'] },
  { method: 'GET', path: () => '/api/people', access: 'private', paged: true, query: 'q=ana', search: ['q'] },
  { method: 'GET', path: () => '/api/coaches/suggested', access: 'private' },
  { method: 'GET', path: () => '/api/specialties', access: 'public' },
  {
    method: 'GET',
    path: ({ userId }) => `/api/coaches/${userId}/reviews`,
    access: 'public',
    paged: true,
    badIds: (id) => `/api/coaches/${id}/reviews`,
  },
  {
    method: 'PUT',
    path: ({ userId }) => `/api/coaches/${userId}/reviews/mine`,
    access: 'private',
    idempotent: true,
    badIds: (id) => `/api/coaches/${id}/reviews/mine`,
    body: {
      name: 'PutReview',
      valid: { rating: 5, comment: 'Patient and clear.' },
      fields: { rating: required(rating), comment: required(text(2000, { filled: 'by service' })) },
    },
  },
  {
    method: 'DELETE',
    path: ({ userId }) => `/api/coaches/${userId}/reviews/mine`,
    access: 'private',
    badIds: (id) => `/api/coaches/${id}/reviews/mine`,
  },
  { method: 'GET', path: () => '/api/conversations', access: 'private', paged: true },
  {
    method: 'POST',
    path: () => '/api/conversations',
    access: 'private',
    body: { valid: { userId: OTHER_ID }, fields: { userId: required(someId) } },
  },
  {
    method: 'GET',
    path: ({ conversationId }) => `/api/conversations/${conversationId}/messages`,
    access: 'private',
    paged: true,
    badIds: (id) => `/api/conversations/${id}/messages`,
  },
  {
    method: 'POST',
    path: ({ conversationId }) => `/api/conversations/${conversationId}/read`,
    access: 'private',
    badIds: (id) => `/api/conversations/${id}/read`,
    body: { valid: { upTo: OTHER_ID }, fields: { upTo: someId }, optional: true },
  },
  {
    method: 'POST',
    path: () => '/api/messages',
    access: 'private',
    idempotent: true,
    body: {
      name: 'NewMessage',
      valid: { receiverId: OTHER_ID, content: 'See you at six?' },
      fields: {
        receiverId: required(someId),
        content: required(text(4000, { filled: 'by service' })),
        // Refused like every unknown field (MSG-4).
        type: () => wrong('system', 'user', 'conversation_starter'),
        senderId: () => wrong(OTHER_ID),
      },
    },
  },
  { method: 'GET', path: () => '/api/notifications', access: 'private', paged: true },
  {
    method: 'POST',
    path: () => '/api/notifications/read',
    access: 'private',
    body: { valid: { upTo: OTHER_ID }, fields: { upTo: someId }, optional: true },
  },
  { method: 'GET', path: () => '/api/badges', access: 'private' },
  { method: 'GET', path: () => '/api/events', access: 'private' },
  ...BILLING_CALLS,
];
