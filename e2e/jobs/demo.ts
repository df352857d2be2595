import { setTimeout as delay } from 'node:timers/promises';
import { DEMO_CONVERSATIONS, type DemoConversation } from '@pulso/embedded/demo/conversations';
import { DEMO_PASSWORD, DEMO_PEOPLE, DEMO_PRICE, DEMO_REVIEWS } from '@pulso/embedded/demo/people';
import { DEMO_POSTS } from '@pulso/embedded/demo/posts';
import { DEMO_SUBSCRIPTIONS } from '@pulso/embedded/demo/subscriptions';
import { aPicture } from '../support/a-picture.js';
import type { Answer, ApiPost } from '../support/api-client.js';
import { waitFor } from '../support/wait-for.js';
import { PatientClient } from './patient-client.js';

/**
 * The Job that fills an empty Pulso with the demo, over its API as its people: PULSO_URL. What is there stays as it is, so that it may run
 * again. Where there are coaches of others it does nothing. Unlike the seed of `npm start` it dates all as it is made (DEMO-1), and nobody's
 * address is verified.
 */
const url = process.env['PULSO_URL'];
if (!url) throw new Error('PULSO_URL is not set: the address of a gateway');

const UNKNOWN_PAUSE_MS = 500;
/** Every so many posts that all may see has a picture. */
const PICTURED = 4;

interface Session {
  accessToken: string;
  user: { id: string };
}

function done<T>(answer: Answer<T>, what: string): T {
  if (answer.status < 300) return answer.body;
  throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
}
/** As `done`, once the service that is asked has heard of the person or the post that the call names: until then it knows none. */
async function onceKnown<T>(call: () => Promise<Answer<T>>, what: string): Promise<T> {
  const isKnown = ({ status }: Answer<T>) => status !== 404 && status !== 422;
  const ask = async () => {
    const answer = await call();
    if (!isKnown(answer)) await delay(UNKNOWN_PAUSE_MS);
    return answer;
  };
  return done(await waitFor(ask, isKnown, { what }), what);
}
const usernames = new Set<string>(DEMO_PEOPLE.map(({ username }) => username));
const people = new Map<string, PatientClient>();
const as = (username: string) => people.get(username)!;

async function signIn({ username, email, name, isCoach, bio, specialties }: (typeof DEMO_PEOPLE)[number]) {
  const client = new PatientClient(url!);
  const account = { email, password: DEMO_PASSWORD };
  const profile = { name, username, isCoach, bio, specialties };
  // Sign-ups are counted more strictly than logins: what runs again begins with these.
  const there = await client.post<Session>('/api/auth/login', account);
  const isNew = there.status === 401;
  const { accessToken, user } = isNew
    ? done(
        await client.post<Session>('/api/auth/signup', { ...account, ...profile }),
        `sign-up of ${username}`,
      )
    : done(there, `login of ${username}`);
  people.set(username, Object.assign(client, { accessToken, userId: user.id }));
  if (!isCoach) return;
  const price = { subscriptionPrice: DEMO_PRICE.minor / 100, subscriptionCurrency: DEMO_PRICE.currency };
  done(await client.patch('/api/me', price), `the price of ${username}`);
}

async function upload(client: PatientClient, red: number): Promise<string> {
  const form = new FormData();
  form.append('purpose', 'post');
  form.append(
    'file',
    new Blob([new Uint8Array(aPicture(1200, 800, red))], { type: 'image/png' }),
    'demo.png',
  );
  return done(await client.post<{ id: string }>('/api/media/images', form), 'an upload').id;
}

async function publish(post: (typeof DEMO_POSTS)[number], index: number): Promise<void> {
  const { author, content, visibility, likedBy = [], comments = [] } = post;
  const writer = as(author);
  const own = await writer.all<ApiPost>(`/api/users/${writer.userId}/posts`);
  const isPictured = visibility === 'public' && index % PICTURED === 0;
  const create = async () => {
    const images = isPictured ? [{ id: await upload(writer, (index * 40) % 256) }] : [];
    return done(await writer.post<ApiPost>('/api/posts', { content, visibility, images }), `post ${index}`);
  };
  const { id } = own.find((one) => one.content === content) ?? (await create());
  for (const name of likedBy)
    await onceKnown(() => as(name).put(`/api/posts/${id}/like`), `a like of post ${index}`);
  if (comments.length === 0) return;
  const there = await writer.all<{ id: string; content: string }>(`/api/posts/${id}/comments`);
  for (const comment of comments) {
    const { content: text } = comment;
    const send = () =>
      as(comment.author).post<{ id: string }>(`/api/posts/${id}/comments`, { content: text });
    const write = () => onceKnown(send, `a comment on post ${index}`);
    const one = there.find((other) => other.content === text) ?? (await write());
    for (const fan of comment.likedBy ?? [])
      await onceKnown(
        () => as(fan).put(`/api/comments/${one.id}/like`),
        `a like of a comment on post ${index}`,
      );
  }
}

/** Without those that have ended: here they would begin and end at the same minute. */
async function subscribeAll(): Promise<void> {
  const config = done(await new PatientClient(url!).get<{ payments: string }>('/api/config'), 'the config');
  // Nobody subscribes without paying where there is a provider.
  if (config.payments !== 'none') return;
  for (const { member, coach, endedDaysAgo } of DEMO_SUBSCRIPTIONS) {
    if (endedDaysAgo !== undefined) continue;
    const subscribe = () => as(member).put(`/api/subscriptions/${as(coach).userId}`);
    await onceKnown(subscribe, `a subscription to ${coach}`);
  }
}

async function converse({ between, lines, unreadBy }: DemoConversation): Promise<void> {
  const [first, second] = between;
  const start = () => as(first).post<{ id: string }>('/api/conversations', { userId: as(second).userId });
  const { id } = await onceKnown(start, `a conversation with ${second}`);
  const there = await as(first).all<{ content: string }>(`/api/conversations/${id}/messages`);
  const written = new Set(there.map(({ content }) => content));
  for (const [author, , content] of lines) {
    if (written.has(content)) continue;
    const receiverId = as(author === first ? second : first).userId;
    done(await as(author).post('/api/messages', { receiverId, content }), `a message of ${author}`);
  }
  for (const reader of between)
    if (reader !== unreadBy)
      done(await as(reader).post(`/api/conversations/${id}/read`), `what ${reader} reads`);
}

const coaches = await new PatientClient(url).all<{ username: string }>('/api/coaches');
if (coaches.some(({ username }) => !usernames.has(username))) {
  console.log('Others are here already: nothing to do.');
} else {
  for (const person of DEMO_PEOPLE) await signIn(person);
  for (const { username, follows } of DEMO_PEOPLE)
    for (const other of follows)
      await onceKnown(
        () => as(username).put(`/api/users/${as(other).userId}/follow`),
        `a follow of ${other}`,
      );
  await subscribeAll();
  for (const { coach, author, rating, comment } of DEMO_REVIEWS) {
    const path = `/api/coaches/${as(coach).userId}/reviews/mine`;
    await onceKnown(() => as(author).call('PUT', path, { rating, comment }), `a review of ${coach}`);
  }
  for (const [index, post] of DEMO_POSTS.entries()) await publish(post, index);
  for (const conversation of DEMO_CONVERSATIONS) await converse(conversation);
  console.log(`The demo is here: ${DEMO_PEOPLE.length} people, ${DEMO_POSTS.length} posts.`);
}
