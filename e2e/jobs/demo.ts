import { setTimeout as delay } from 'node:timers/promises';
import { DEMO_PASSWORD, DEMO_PEOPLE, DEMO_PRICE, DEMO_REVIEWS } from '@pulso/embedded/demo/people';
import { DEMO_POSTS } from '@pulso/embedded/demo/posts';
import { aPicture } from '../support/a-picture.js';
import type { Answer, ApiPost, Page } from '../support/api-client.js';
import { waitFor } from '../support/wait-for.js';
import { PatientClient } from './patient-client.js';

/**
 * The Job that fills an empty Pulso with the demo, over its API as its people: PULSO_URL. What is there stays as it is, so that it may run
 * again. Where there are coaches of others it does nothing. Unlike the seed of `npm start` it dates all as it is made (DEMO-1), and nobody's
 * address is verified.
 */
const url = process.env['PULSO_URL'];
if (!url) throw new Error('PULSO_URL is not set: the address of a gateway');

const MESSAGES: readonly [from: string, to: string, content: string][] = [
  ['alex-rivera', 'mike-okafor', 'Ten kilometres on Sunday, slowly, as you said. My knees are fine.'],
  ['mike-okafor', 'alex-rivera', 'Good. Same again this week, and not one of them faster.'],
  ['priya-raman', 'sarah-moreno', 'Is it normal that my hands hurt more than my legs?'],
  ['sarah-moreno', 'priya-raman', 'Yes. Chalk, and let the bar rest in your fingers, not in your palm.'],
];
const SUBSCRIPTIONS: readonly [member: string, coach: string][] = [
  ['alex-rivera', 'mike-okafor'],
  ['priya-raman', 'sarah-moreno'],
  ['nora-quintana', 'lucia-fernandez'],
];
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

async function write([from, to, content]: (typeof MESSAGES)[number]): Promise<void> {
  const receiverId = as(to).userId;
  const start = () => as(from).post<{ id: string }>('/api/conversations', { userId: receiverId });
  const started = await onceKnown(start, `a conversation with ${to}`);
  const there = await as(from).get<Page<{ content: string }>>(`/api/conversations/${started.id}/messages`);
  if (there.status === 200 && there.body.items.some((one) => one.content === content)) return;
  done(await as(from).post('/api/messages', { receiverId, content }), `a message to ${to}`);
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
  for (const [member, coach] of SUBSCRIPTIONS)
    await onceKnown(
      () => as(member).put(`/api/subscriptions/${as(coach).userId}`),
      `a subscription to ${coach}`,
    );
  for (const { coach, author, rating, comment } of DEMO_REVIEWS) {
    const path = `/api/coaches/${as(coach).userId}/reviews/mine`;
    await onceKnown(() => as(author).call('PUT', path, { rating, comment }), `a review of ${coach}`);
  }
  for (const [index, post] of DEMO_POSTS.entries()) await publish(post, index);
  for (const message of MESSAGES) await write(message);
  console.log(`The demo is here: ${DEMO_PEOPLE.length} people, ${DEMO_POSTS.length} posts.`);
}
