import type { Asset } from '@pulso/contracts/media/v1/media';
import type { News } from '@pulso/contracts/messaging/v1/messaging';
import type { Relation } from '@pulso/contracts/social/v1/social';
import { Cancellation } from '@pulso/platform/context/cancellation';
import { currentContext, type RequestContext, runInContext } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Clock } from '@pulso/platform/time/clock';
import type { BillingClient, MediaClient, MessagingClient, SocialClient } from '../clients.js';
import { eventFrame, FrameQueue } from '../http/kinds/frame-queue.js';
import { toUploadedImage } from '../media/to-image.js';
import { toOwnVideo } from '../media/to-video.js';
import { toMessage } from '../messages/to-message.js';
import { toNotifications } from '../notifications/to-notification.js';
import { type ComposeProfile, type ProfileNumbers, toProfileViewer } from '../profiles/compose-profile.js';
import type { PulsoAfter } from '../pulso-after/pulso-after.js';
import type { ComposeSubscription } from '../subscriptions/compose-subscription.js';
import { required } from '../user-ref/to-user-ref.js';
import { OneAtATime } from './one-at-a-time.js';

/** Read again each time: what is committed late, and clocks that differ. */
const OVERLAP_MS = 60_000;
/** As many as messaging tells at once: with so many new ones, there may be more. */
const MAX_NEWS = 50;
/** As many as social tells at once. */
const MAX_RELATIONS = 100;
/** Each costs one call. */
const MAX_SUBSCRIPTIONS = 20;
const MAX_ASSETS = 20;
const READ_MS = 5_000;
/** Short, since it is sent beside the client's own `Pulso-After`. */
const MAX_TOKENS = 8;

/** One open stream of a user. */
interface Reader {
  context: RequestContext;
  queue: FrameQueue;
  /** Until the first reading that began after it came. */
  joining: { resolve(): void; reject(error: unknown): void } | undefined;
}

export interface UserNewsOptions {
  billing: Pick<BillingClient, 'getSubscription'>;
  media: Pick<MediaClient, 'getAsset'>;
  messaging: Pick<MessagingClient, 'listNews'>;
  social: Pick<SocialClient, 'getRelations'>;
  profiles: Pick<ComposeProfile, 'standingsOf'>;
  subscriptions: Pick<ComposeSubscription, 'list'>;
  pulsoAfter: Pick<PulsoAfter, 'read' | 'write'>;
  clock: Clock;
  /** Runs work, with so much of it at once. */
  inTurn(work: () => Promise<void>): Promise<void>;
  /** Begins with a reading and lasts until the next one of its kind may begin (NOTIF-13). */
  pause(): Promise<void>;
  /** The last stream has ended. */
  onEmpty(): void;
}

/**
 * The open streams of one user in this process, which share their readings: of messaging, social, billing and media one at a time each,
 * at a pace, and one more for any number of signals meanwhile: others cause them, and there may be hundreds of these.
 */
export class UserNews {
  private readonly readers = new Set<Reader>();
  private readonly news: OneAtATime;
  private readonly graph: OneAtATime;
  private readonly subscriptions: OneAtATime;
  private readonly subscribers: OneAtATime;
  private readonly media: OneAtATime;
  /** Users whose relation to this one is to be read. */
  private readonly related = new Set<string>();
  /** Coaches to whom the user's subscription is to be read. */
  private readonly coaches = new Set<string>();
  /** The user's assets that are to be read. */
  private readonly assets = new Set<string>();
  private readAt = 0;
  /**
   * What has been sent, with its time, for as long as it may be read again. Something that is taken back and given again
   * meanwhile is not sent twice (NOTIF-3).
   */
  private told: ReadonlyMap<string, number> = new Map();
  private badges = '';
  /** The `Pulso-After` of the writes that events have told of. */
  private toldAfter: string | undefined;

  constructor(private readonly options: UserNewsOptions) {
    const paced = (pass: () => Promise<void>) =>
      new OneAtATime(
        () => options.inTurn(pass),
        () => options.pause(),
      );
    this.news = paced(() => this.passNews());
    this.graph = paced(() => this.passRelations());
    this.subscriptions = paced(() => this.passSubscriptions());
    this.subscribers = paced(() => this.passSubscribers());
    this.media = paced(() => this.passMedia());
  }

  /**
   * A stream whose first event is `badges` (NOTIF-8); what is older than that event is not told. Rejects as messaging
   * does.
   */
  async join(context: RequestContext): Promise<FrameQueue> {
    const queue = new FrameQueue(() => this.leave(reader));
    const reader: Reader = { context, queue, joining: undefined };
    const joined = new Promise<void>((resolve, reject) => (reader.joining = { resolve, reject }));
    this.readers.add(reader);
    this.nudge();
    await joined;
    return queue;
  }

  /** Something of the user has changed in messaging. */
  nudge(): void {
    this.news.ask();
  }

  /** A follow or block between the user and another one has changed. */
  relationChanged(otherId: string): void {
    this.related.add(otherId);
    this.graph.ask();
  }

  /** The user's subscription to a coach has changed. */
  subscriptionChanged(coachId: string): void {
    this.coaches.add(coachId);
    this.subscriptions.ask();
  }

  /** Someone's subscription to the user has changed. */
  subscribersChanged(): void {
    this.subscribers.ask();
  }

  /** What media knows of an asset of the user has changed. */
  mediaChanged(assetId: string): void {
    this.assets.add(assetId);
    this.media.ask();
  }

  /** Ends all streams: their clients load what they show anew. */
  end(): void {
    for (const { queue } of this.readers) queue.end();
  }

  private leave(reader: Reader): void {
    this.readers.delete(reader);
    if (this.readers.size === 0) this.options.onEmpty();
  }

  private async passNews(): Promise<void> {
    if (this.readers.size === 0) return;
    const present = [...this.readers];
    const { messaging, clock } = this.options;
    try {
      const now = clock.now();
      const since = (this.readAt === 0 ? now : Math.min(this.readAt, now)) - OVERLAP_MS;
      const news = await this.asUser(present, () => messaging.listNews({ since }));
      this.readAt = now;
      this.tell(present, news, since);
    } catch (error) {
      for (const { joining, queue } of present) {
        joining?.reject(error);
        queue.end();
      }
    }
  }

  private async passRelations(): Promise<void> {
    const userIds = takeFrom(this.related, MAX_RELATIONS);
    if (this.related.size > 0) this.graph.ask();
    const { social, profiles } = this.options;
    await this.pass(async () => {
      const asked = [social.getRelations({ userIds }), profiles.standingsOf(userIds)] as const;
      const [{ relations }, standings] = await Promise.all(asked);
      // Nothing is told of a user who has blocked the reader: their profile is not found either (PEOPLE-23).
      return relations.flatMap((relation, index) =>
        relation.blockedBy ? [] : [graphFrame(relation, standings?.[index] ?? null)],
      );
    });
  }

  private async passSubscriptions(): Promise<void> {
    const coachIds = takeFrom(this.coaches, MAX_SUBSCRIPTIONS);
    if (this.coaches.size > 0) this.subscriptions.ask();
    const { billing, subscriptions } = this.options;
    await this.pass(async () => {
      const read = await Promise.all(
        coachIds.map((coachId) => ifFound(billing.getSubscription({ coachId }))),
      );
      const composed = await subscriptions.list(read.flatMap((subscription) => subscription ?? []));
      const after = this.afterTold();
      return composed.map((subscription) => eventFrame('subscription', subscription, after));
    });
  }

  /**
   * A `Pulso-After` of what this reading and earlier ones have told (HTTP-33): with it a page waits for what other services do
   * not know yet. Undefined where there is nothing to wait for.
   */
  private afterTold(): string | undefined {
    const { caller, wrote } = currentContext()!;
    const { pulsoAfter } = this.options;
    if (wrote.length > 0) {
      const before = pulsoAfter.read(this.toldAfter, caller!.userId);
      this.toldAfter = pulsoAfter.write(caller!.userId, before, wrote, MAX_TOKENS);
    }
    return this.toldAfter;
  }

  /** Without content: what a coach may know of subscribers is what the dashboard answers. */
  private passSubscribers(): Promise<void> {
    return this.pass(() => Promise.resolve([eventFrame('subscribers', {})]));
  }

  /** Nothing is told of what has been deleted meanwhile (NOTIF-12). */
  private async passMedia(): Promise<void> {
    const ids = takeFrom(this.assets, MAX_ASSETS);
    if (this.assets.size > 0) this.media.ask();
    await this.pass(async () => {
      const read = await Promise.all(ids.map((id) => ifFound(this.options.media.getAsset({ id }))));
      const after = this.afterTold();
      return read.flatMap((asset) => (asset ? [eventFrame('post-media', toPostMedia(asset), after)] : []));
    });
  }

  /** Frames for the streams that have begun: the clients of the others load what they show after this. */
  private async pass(framesOf: () => Promise<readonly string[]>): Promise<void> {
    const begun = [...this.readers].filter(({ joining }) => !joining);
    if (begun.length === 0) return;
    try {
      const frames = await this.asUser(begun, framesOf);
      for (const { queue } of begun) for (const frame of frames) queue.push(frame);
    } catch {
      // As after a failed reading of news: each client opens another stream and loads what it shows.
      for (const { queue } of begun) queue.end();
    }
  }

  /** A call with the token of the stream whose token is valid longest. */
  private asUser<T>(present: readonly Reader[], call: () => Promise<T>): Promise<T> {
    const until = ({ context }: Reader) => context.caller?.expiresAt ?? 0;
    const [{ context }] = present.toSorted((a, b) => until(b) - until(a)) as [Reader, ...Reader[]];
    const deadline = this.options.clock.now() + READ_MS;
    return runInContext(
      { ...context, deadline, cancellation: new Cancellation(), after: [], wrote: [] },
      call,
    );
  }

  private tell(present: readonly Reader[], news: News, since: number): void {
    const { counts, messages, notifications, moreMessages, moreNotifications } = news;
    const isNew = ({ id }: { id: string }) => !this.told.has(id);
    const freshMessages = messages.filter(isNew);
    const freshNotifications = notifications.filter(isNew);
    const { notifications: unreadNotifications, messages: unreadMessages } = required(counts, 'counts');
    const badges = eventFrame('badges', { notifications: unreadNotifications, messages: unreadMessages });
    const fresh = [
      ...freshMessages.map((message) => eventFrame('message', toMessage(message))),
      ...toNotifications(freshNotifications).map((one) => eventFrame('notification', one)),
    ];
    // Something read and something new since the last reading leave the counts as they were, but not those that a page has made of them.
    const frames = fresh.length > 0 || badges !== this.badges ? [...fresh, badges] : [];
    // Messaging leaves older ones out. If one of those that it answers was sent before, all older ones were, too.
    const isCut =
      (moreMessages && freshMessages.length === messages.length) ||
      (moreNotifications && freshNotifications.length === notifications.length);
    const mayLackSome = isCut || freshMessages.length >= MAX_NEWS || freshNotifications.length >= MAX_NEWS;
    // The next reading begins no earlier than this one.
    const readAgain = [...this.told].filter(([, at]) => at >= since);
    const read = [...messages, ...notifications].map(({ id, createdAt }) => [id, createdAt] as const);
    this.told = new Map([...readAgain, ...read]);
    this.badges = badges;
    for (const reader of present) {
      const { joining, queue } = reader;
      if (joining) {
        reader.joining = undefined;
        queue.push(badges);
        joining.resolve();
      } else if (mayLackSome) queue.end();
      else for (const frame of frames) queue.push(frame);
    }
  }
}

const graphFrame = (relation: Relation, standing: ProfileNumbers['standing']) =>
  eventFrame('graph', {
    userId: relation.userId,
    viewer: toProfileViewer({ relation, standing }, false),
  });

function toPostMedia({ video, image }: Asset) {
  if (video) return { postId: video.postId || null, media: toOwnVideo(video) };
  return { postId: null, media: toUploadedImage(required(image, 'image')) };
}

function takeFrom(ids: Set<string>, most: number): string[] {
  const taken = [...ids].slice(0, most);
  for (const id of taken) ids.delete(id);
  return taken;
}

async function ifFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not-found') return undefined;
    throw error;
  }
}
