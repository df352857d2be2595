import { Caller } from './caller.js';
import { passkeyActs } from './passkey-acts.js';

const POSTS = 25;
const MEMBERS = 12;
const MESSAGES = 22;

/** Who and what is there before the acts. */
export interface World {
  newCaller(): Caller;
  visitor: Caller;
  coach: Caller;
  /** Follows the coach, has written to them, and likes and comments on their posts. */
  member: Caller;
  post: string;
  comment: string;
  conversation: string;
}

/** What `measure` counts is `act`; `before` is done each time before it. */
export interface Act {
  before?: () => Promise<unknown>;
  act: () => Promise<unknown>;
}

export async function newWorld(url: string): Promise<World> {
  const newCaller = () => new Caller(url);
  const coach = await newCaller().signUp('ana', true);
  const members = [];
  for (let count = 0; count < MEMBERS; count += 1) members.push(await newCaller().signUp('ben'));
  const [member] = members as [Caller];
  let post = '';
  for (let count = 0; count < POSTS; count += 1)
    ({ id: post } = await coach.post('/api/posts', { content: `Post ${count}` }));
  for (const each of members) {
    await each.put(`/api/users/${coach.id}/follow`);
    await each.put(`/api/posts/${post}/like`);
    await each.post('/api/messages', { receiverId: coach.id, content: 'Hello' });
  }
  for (let count = 0; count < MESSAGES; count += 1)
    await member.post('/api/messages', { receiverId: coach.id, content: `Message ${count}` });
  const { id: comment } = await member.post(`/api/posts/${post}/comments`, { content: 'A comment' });
  const conversation = (await member.get('/api/conversations')).items[0]!.id;
  return { newCaller, visitor: newCaller(), coach, member, post, comment, conversation };
}

/** An act for each call of the API, by its method and path. */
export function actsOf(world: World): Record<string, Act> {
  const { newCaller, visitor, coach, member, post, comment, conversation } = world;
  const reads = {
    'GET /api/auth/password-policy': () => visitor.get('/api/auth/password-policy'),
    'GET /api/auth/sessions': () => member.get('/api/auth/sessions'),
    'GET /api/me': () => member.get('/api/me'),
    'GET /api/me/archive': () => member.get('/api/me/archive'),
    'GET /api/config': () => visitor.get('/api/config'),
    'GET /api/users/by-username/{username}': () => member.get(`/api/users/by-username/${coach.username}`),
    'GET /api/users/{id}': () => member.get(`/api/users/${coach.id}`),
    'GET /api/users/{id}/posts': () => member.get(`/api/users/${coach.id}/posts`),
    'GET /api/avatars/{letter}.svg': () => visitor.get('/api/avatars/A.svg'),
    'GET /api/coaches': () => member.get('/api/coaches?q=an'),
    'GET /api/coaches/suggested': () => member.get('/api/coaches/suggested'),
    'GET /api/specialties': () => visitor.get('/api/specialties'),
    'GET /api/people': () => member.get('/api/people?q=an'),
    'GET /api/users/{id}/followers': () => member.get(`/api/users/${coach.id}/followers`),
    'GET /api/users/{id}/following': () => member.get(`/api/users/${member.id}/following`),
    'GET /api/me/blocks': () => member.get('/api/me/blocks'),
    'GET /api/coaches/{id}/reviews': () => member.get(`/api/coaches/${coach.id}/reviews`),
    'GET /api/feed': () => member.get('/api/feed'),
    'GET /api/posts/{id}': () => member.get(`/api/posts/${post}`),
    'GET /api/posts/{id}/likes': () => member.get(`/api/posts/${post}/likes`),
    'GET /api/posts/{id}/comments': () => member.get(`/api/posts/${post}/comments`),
    'GET /api/storage': () => member.get('/api/storage'),
    'GET /api/conversations': () => coach.get('/api/conversations'),
    'GET /api/conversations/{id}/messages': () => member.get(`/api/conversations/${conversation}/messages`),
    'GET /api/notifications': () => coach.get('/api/notifications'),
    'GET /api/badges': () => coach.get('/api/badges'),
    'GET /api/subscriptions': () => member.get('/api/subscriptions'),
    'GET /api/dashboard': () => coach.get('/api/dashboard'),
  };
  let given = '';
  const made = (make: () => Promise<{ id: string }>) => async () => void ({ id: given } = await make());
  const newPost = made(() => coach.post('/api/posts', { content: 'A new post' }));
  const newComment = made(() => member.post(`/api/posts/${post}/comments`, { content: 'A comment' }));
  const upload = made(() => coach.upload());
  let leaver = visitor;
  const newLeaver = async () => (leaver = await newCaller().signUp('eva'));
  const newSession = async () => {
    await newCaller().signUp('eva');
    leaver = await newLeaver();
    given = (await (await leaver.login()).get('/api/auth/sessions')).items.at(-1)!.id;
  };
  return {
    ...Object.fromEntries(Object.entries(reads).map(([name, act]) => [name, { act }])),
    'GET /api/feed/newer': {
      before: async () => (given = (await member.get('/api/feed?limit=5')).nextCursor),
      act: () => member.get(`/api/feed/newer?cursor=${encodeURIComponent(given)}`),
    },
    'POST /api/auth/signup': { act: newLeaver },
    'POST /api/auth/login': { act: () => member.login() },
    'POST /api/auth/refresh': { before: newLeaver, act: () => leaver.post('/api/auth/refresh') },
    'POST /api/auth/logout': { before: newLeaver, act: () => leaver.post('/api/auth/logout') },
    'DELETE /api/auth/sessions/{id}': {
      before: newSession,
      act: () => leaver.delete(`/api/auth/sessions/${given}`),
    },
    'DELETE /api/auth/sessions': { before: newSession, act: () => leaver.delete('/api/auth/sessions') },
    ...passkeyActs(world),
    'POST /api/auth/password/forgot': {
      before: newLeaver,
      act: () => visitor.post('/api/auth/password/forgot', { email: `${leaver.username}@example.test` }),
    },
    'POST /api/auth/password/change': {
      before: newSession,
      act: () =>
        leaver.post('/api/auth/password/change', {
          currentPassword: 'secret words',
          password: 'other secret words',
        }),
    },
    'POST /api/auth/email/resend': {
      before: newLeaver,
      act: () => leaver.post('/api/auth/email/resend'),
    },
    'PATCH /api/me': { act: () => member.patch('/api/me', { bio: `A bio of ${Date.now()}` }) },
    'DELETE /api/me/archive': { act: () => member.delete('/api/me/archive') },
    'PUT /api/users/{id}/follow': {
      before: () => coach.delete(`/api/users/${member.id}/follow`),
      act: () => coach.put(`/api/users/${member.id}/follow`),
    },
    'DELETE /api/users/{id}/follow': {
      before: () => coach.put(`/api/users/${member.id}/follow`),
      act: () => coach.delete(`/api/users/${member.id}/follow`),
    },
    'PUT /api/users/{id}/block': {
      before: newLeaver,
      act: () => leaver.put(`/api/users/${member.id}/block`),
    },
    'DELETE /api/users/{id}/block': {
      before: async () => (await newLeaver()).put(`/api/users/${member.id}/block`),
      act: () => leaver.delete(`/api/users/${member.id}/block`),
    },
    'PUT /api/coaches/{id}/reviews/mine': {
      before: () => member.delete(`/api/coaches/${coach.id}/reviews/mine`),
      act: () => member.put(`/api/coaches/${coach.id}/reviews/mine`, { rating: 4, comment: 'Good' }),
    },
    'DELETE /api/coaches/{id}/reviews/mine': {
      before: () => member.put(`/api/coaches/${coach.id}/reviews/mine`, { rating: 4, comment: 'Good' }),
      act: () => member.delete(`/api/coaches/${coach.id}/reviews/mine`),
    },
    'POST /api/reports': {
      before: newPost,
      act: () => member.post('/api/reports', { subjectType: 'post', subjectId: given, reason: 'spam' }),
    },
    'POST /api/posts': { act: newPost },
    'PATCH /api/posts/{id}': {
      before: newPost,
      act: () => coach.patch(`/api/posts/${given}`, { content: 'Another text' }),
    },
    'DELETE /api/posts/{id}': { before: newPost, act: () => coach.delete(`/api/posts/${given}`) },
    'PUT /api/posts/{id}/like': { before: newPost, act: () => member.put(`/api/posts/${given}/like`) },
    'DELETE /api/posts/{id}/like': {
      before: () => member.put(`/api/posts/${post}/like`),
      act: () => member.delete(`/api/posts/${post}/like`),
    },
    'POST /api/posts/{id}/comments': { act: newComment },
    'DELETE /api/comments/{id}': { before: newComment, act: () => member.delete(`/api/comments/${given}`) },
    'PUT /api/comments/{id}/like': {
      before: () => coach.delete(`/api/comments/${comment}/like`),
      act: () => coach.put(`/api/comments/${comment}/like`),
    },
    'DELETE /api/comments/{id}/like': {
      before: () => coach.put(`/api/comments/${comment}/like`),
      act: () => coach.delete(`/api/comments/${comment}/like`),
    },
    'POST /api/media/images': { act: upload },
    'GET /api/media/{id}': { before: upload, act: () => coach.get(`/api/media/${given}`) },
    'DELETE /api/media/{id}': { before: upload, act: () => coach.delete(`/api/media/${given}`) },
    'POST /api/conversations': {
      before: newLeaver,
      act: () => leaver.post('/api/conversations', { userId: coach.id }),
    },
    'POST /api/conversations/{id}/read': {
      before: () => member.post('/api/messages', { receiverId: coach.id, content: 'Hello' }),
      act: () => coach.post(`/api/conversations/${conversation}/read`),
    },
    'POST /api/messages': {
      act: () => member.post('/api/messages', { receiverId: coach.id, content: 'Hello' }),
    },
    'POST /api/notifications/read': {
      before: newComment,
      act: () => coach.post('/api/notifications/read'),
    },
    'PUT /api/subscriptions/{id}': {
      before: newLeaver,
      act: () => leaver.put(`/api/subscriptions/${coach.id}`),
    },
    'DELETE /api/subscriptions/{id}': {
      before: async () => (await newLeaver()).put(`/api/subscriptions/${coach.id}`),
      act: () => leaver.delete(`/api/subscriptions/${coach.id}`),
    },
  };
}

/** Calls without a cost of their own, with the reason. */
export const NOT_MEASURED: Readonly<Record<string, string>> = {
  'GET /api/events': 'a stream; what it tells is counted with the acts',
  'GET /media/{id}/{variant}': 'the file of an address that GET /api/media/{id} signs',
  'POST /api/media/videos': 'what it costs is the work on the video, behind it',
  'POST /api/uploads': 'of tus: media answers it, and no rpc is called',
  'PATCH /api/uploads/{id}': 'of tus: a stream, which costs what its pieces do',
  'DELETE /api/uploads/{id}': 'of tus: media answers it, and no rpc is called',
  'GET /api/me/export': 'what it costs grows with all that the account holds; ten an hour are allowed',
  'POST /api/me/archive':
    'what it costs is an export and the file that is built behind it; three a day are allowed',
  'GET /api/me/import': 'one row of the caller; a page of the settings asks for it',
  'POST /api/me/import': 'once an account, and once more where it goes on',
  'POST /api/me/import/pending': 'what it costs grows with the ids that it names, at most 400',
  'POST /api/me/import/posts':
    'what it costs grows with its posts, at most 20; each costs what a new one does',
  'POST /api/me/import/comments': 'what it costs grows with its comments, at most 100',
  'DELETE /api/me':
    'what it costs is the erasure in all services, behind it, which looks a second time a quarter of an hour later',
  'POST /unsubscribe': 'its token is only in a mail',
  'GET /api/auth/google/start': 'not there without a provider of sign-ins',
  'GET /api/auth/google/callback': 'not there without a provider of sign-ins',
  'POST /api/auth/password/reset': 'its token is only in a mail',
  'POST /api/auth/email/verify': 'its token is only in a mail',
  'GET /api/stripe/status': 'refused while there is no provider',
  'POST /api/stripe/checkout/create': 'refused while there is no provider',
  'POST /api/stripe/prices/lazy-create': 'refused while there is no provider',
  'POST /api/stripe/connect/create-account': 'refused while there is no provider',
  'POST /api/stripe/connect/onboarding-link': 'refused while there is no provider',
  'POST /api/stripe/billing/portal': 'refused while there is no provider',
  'POST /api/stripe/connect/dashboard-link': 'refused while there is no provider',
  'POST /api/stripe/webhook': 'refused while there is no provider',
};
