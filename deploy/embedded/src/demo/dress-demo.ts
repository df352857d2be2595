import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { DEMO_CONVERSATIONS, type DemoConversation } from './conversations.js';
import { DAY_MS, type DemoActs, MINUTE_MS } from './demo-acts.js';
import { DEMO_PEOPLE, type DemoPerson } from './people.js';
import type { DemoPost } from './post.js';
import { DEMO_POSTS } from './posts.js';
import { type PostMedia, publishPost } from './publish-post.js';
import type { SeededDemo } from './seed-demo.js';
import { DEMO_SUBSCRIPTIONS, type DemoSubscription } from './subscriptions.js';
import { uploadPicture, uploadVideo } from './upload-file.js';

export interface DressOptions extends SeededDemo {
  /** Where the demo's files are. */
  folder: string;
  /** Whether billing has no provider, so that everybody subscribes for free. */
  isFree: boolean;
  stopping: AbortSignal;
}

/**
 * Adds what takes longer than a newcomer should wait for (DEMO-7): subscriptions, conversations, faces, and posts with
 * pictures or a video, the newest first. Can be repeated, like `seedDemo`. Resolves early, with false, when it is to stop.
 */
export async function dressDemo(options: DressOptions): Promise<boolean> {
  const { acts, isFree, stopping } = options;
  // Messaging and billing have heard of everybody.
  await acts.options.pulso.drainEvents();
  const withMedia = [...DEMO_POSTS.entries()]
    .filter(([, { pictures, video }]) => pictures || video)
    .reverse();
  const steps: (() => Promise<void>)[] = [
    ...(isFree ? DEMO_SUBSCRIPTIONS.map((one) => () => subscribe(acts, one)) : []),
    // What they tell comes first in the conversations.
    () => acts.options.pulso.drainEvents(),
    ...DEMO_CONVERSATIONS.map((one) => () => converse(acts, one)),
    ...DEMO_PEOPLE.map((person) => () => showFace(options, person)),
    ...withMedia.map(
      ([index, post]) =>
        () =>
          publish(options, post, index),
    ),
    () => acts.options.pulso.drainEvents(),
    ...DEMO_PEOPLE.map((person) => () => readNotifications(acts, person)),
  ];
  for (const step of steps) {
    if (stopping.aborted) return false;
    await step();
  }
  return true;
}

async function subscribe(acts: DemoActs, subscription: DemoSubscription): Promise<void> {
  const { billing } = acts.clients;
  const { member, coach, daysAgo, endedDaysAgo } = subscription;
  const coachId = acts.idOf(coach);
  if (await isThere(acts.as(member, acts.now, () => billing.getSubscription({ coachId })))) return;
  const idempotency = { key: `demo-${coach}`, scope: 'seed', bodyHash: 'subscription' };
  await acts.as(member, acts.now - daysAgo * DAY_MS, () => billing.subscribe({ coachId, idempotency }));
  if (endedDaysAgo === undefined) return;
  await acts.as(member, acts.now - endedDaysAgo * DAY_MS, () => billing.cancelSubscription({ coachId }));
}

async function converse(acts: DemoActs, conversation: DemoConversation): Promise<void> {
  const { messaging } = acts.clients;
  const { between, daysAgo, lines, unreadBy } = conversation;
  const [first, second] = between;
  const userId = acts.idOf(second);
  let at = acts.now - daysAgo * DAY_MS;
  const { conversation: started } = await acts.as(first, at, () => messaging.startConversation({ userId }));
  const conversationId = started!.id;
  const list = () => messaging.listMessages({ conversationId, limit: 50, cursor: '' });
  const { items } = await acts.as(first, acts.now, list);
  const written = new Set(items.map(({ content }) => content));
  for (const [number, [author, minutesLater, content]] of lines.entries()) {
    at += minutesLater * MINUTE_MS;
    if (written.has(content)) continue;
    const receiverId = acts.idOf(author === first ? second : first);
    // Who answers has read.
    if (number > 0) await acts.as(author, at, () => messaging.markConversationRead({ conversationId }));
    const idempotency = { key: `demo-${conversationId}-${number}`, scope: 'seed', bodyHash: `${number}` };
    await acts.as(author, at, () => messaging.sendMessage({ receiverId, content, idempotency }));
  }
  for (const reader of between)
    if (reader !== unreadBy)
      await acts.as(reader, acts.now, () => messaging.markConversationRead({ conversationId }));
}

/** They were here yesterday. */
async function readNotifications(acts: DemoActs, { username }: DemoPerson): Promise<void> {
  const { messaging } = acts.clients;
  const list = () => messaging.listNotifications({ limit: 100, cursor: '' });
  const { items } = await acts.as(username, acts.now, list);
  const upTo = items.find(({ createdAt }) => createdAt < acts.now - DAY_MS)?.id;
  if (upTo) await acts.as(username, acts.now, () => messaging.markNotificationsRead({ upTo }));
}

async function showFace({ acts, folder }: DressOptions, { username, joinedDaysAgo }: DemoPerson) {
  const { identity, media } = acts.clients;
  const at = acts.now - joinedDaysAgo * DAY_MS;
  // At that time: the session of their sign-up may be over by now.
  const { profileImageId } = (await acts.as(username, at, () => identity.getMe({}))).user!;
  if (profileImageId !== '') return;
  const file = `faces/${username}.jpg`;
  const id = await uploadPicture(acts, { folder, file, owner: username }, 'avatar');
  await acts.as(username, at, async () => {
    const { ticket } = await media.claimForProfile({ id });
    const picture = { profileImageId: id, profileImageTicket: ticket };
    return identity.updateMe({
      ...picture,
      ...{ specialties: undefined, subscriptionPriceMinor: undefined, emails: undefined },
    });
  });
}

function publish({ acts, isRepetition, folder }: DressOptions, post: DemoPost, index: number): Promise<void> {
  const media = () => mediaOf(acts, folder, post);
  return publishPost(acts, { post, index, isRepetition, media });
}

/** Called at the time of the post, at which also the claim is made. Files are uploaded now. */
async function mediaOf(
  acts: DemoActs,
  folder: string,
  { author: owner, pictures = [], video }: DemoPost,
): Promise<PostMedia> {
  const now = <T>(upload: () => Promise<T>) => acts.options.clock.at(Date.now(), upload);
  const postId = newIdAt(acts.options.clock.now());
  const claim = (media: { ids: string[]; videoId?: string }) =>
    acts.clients.media.claimForPost({ ...media, postId, publicationKey: '' });
  if (video) {
    const uploadId = await now(() => uploadVideo(acts, { folder, file: video, owner }));
    const { ticket } = await claim({ ids: [], videoId: uploadId });
    return { images: [], video: { uploadId }, ticket };
  }
  const ids: string[] = [];
  for (const { scene } of pictures)
    ids.push(await now(() => uploadPicture(acts, { folder, file: `scenes/${scene}.jpg`, owner }, 'post')));
  const { ticket } = await claim({ ids });
  const images = pictures.map(({ alt, caption = '' }, place) => ({ id: ids[place]!, alt, caption }));
  return { images, ticket };
}

async function isThere(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return false;
    throw error;
  }
}
