import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { createAccessTokenSigner } from '@pulso/platform/auth/access-token';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { SERVICES } from '@pulso/registry/services';
import { decodeJwt, type JWK } from 'jose';
import { CALL_BUDGET_MS, callAs } from '../call-as.js';
import type { RunningPulso } from '../compose-pulso.js';
import {
  DEMO_PASSWORD,
  DEMO_PEOPLE,
  DEMO_PRICE,
  DEMO_REVIEWS,
  type DemoPerson,
  type Username,
} from './people.js';
import type { DemoPost } from './post.js';
import { DEMO_POSTS } from './posts.js';
import type { SeedClock } from './seed-clock.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A token is made for each call, at the time of that call. */
const TOKEN_TTL_SECONDS = 60;
/** More would only wait for each other, and a call may take no longer than its budget. */
const CALLS_AT_ONCE = 4;
const PRICE = {
  specialties: undefined,
  subscriptionPriceMinor: { value: DEMO_PRICE.minor },
  subscriptionCurrency: DEMO_PRICE.currency,
  emails: undefined,
};

export interface SeedOptions {
  pulso: Pick<RunningPulso, 'clientsWithin' | 'drainEvents' | 'services'>;
  /** The clock that `pulso` was composed with. */
  clock: SeedClock;
  signingKeys: JWK[];
}

interface Account {
  userId: string;
  sessionId: string;
}

/**
 * Fills a new installation with the demo (DEMO-1, DEMO-2) by calling the services as its people, so that all events
 * flow; the times are counted back from now. Can be repeated after a kill: what is there stays as it is.
 */
export async function seedDemo({ pulso, clock, signingKeys }: SeedOptions): Promise<void> {
  const { identity, posts, social } = pulso.clientsWithin(CALL_BUDGET_MS);
  const now = clock.now();
  const signer = createAccessTokenSigner({ keys: signingKeys, ttlSeconds: TOKEN_TTL_SECONDS, clock });
  const accounts = new Map<Username, Account>();
  const idOf = (username: Username) => accounts.get(username)!.userId;
  const as = <T>(username: Username, time: number, call: () => Promise<T>): Promise<T> =>
    clock.at(time, async () => callAs((await signer.sign(accounts.get(username)!)).token, call));

  const fresh = await inTurns(
    DEMO_PEOPLE.map((person) => async () => {
      const joined = now - person.joinedDaysAgo * DAY_MS;
      const { account, isNew } = await signIn(person, joined);
      accounts.set(person.username, account);
      await clock.at(isNew ? joined : now, () => verifyEmail(person.username));
      if (person.isCoach) await as(person.username, isNew ? joined : now, () => identity.updateMe(PRICE));
      return isNew;
    }),
  );
  // On a busy machine the new users may reach the others later than the half second that a call waits, and it would
  // refuse.
  await pulso.drainEvents();
  const isRepetition = fresh.includes(false);

  await inTurns<unknown>([
    ...DEMO_PEOPLE.flatMap(({ username, joinedDaysAgo, follows }) =>
      follows.map(
        (followed, index) => () =>
          as(username, now - (joinedDaysAgo - 0.1 * (index + 1)) * DAY_MS, () =>
            social.followUser({ userId: idOf(followed) }),
          ),
      ),
    ),
    ...DEMO_REVIEWS.map(({ coach, author, rating, daysAgo, comment }) => () => {
      const idempotency = { key: `demo-${coach}`, scope: 'seed', bodyHash: 'review' };
      const review = { coachId: idOf(coach), rating, comment, idempotency };
      return as(author, now - daysAgo * DAY_MS, () => social.putReview(review));
    }),
    ...DEMO_POSTS.map((post, index) => () => publish(post, index)),
  ]);

  async function signIn(person: DemoPerson, joined: number): Promise<{ account: Account; isNew: boolean }> {
    const { name, username, email, isCoach, bio, specialties } = person;
    const device = { userAgent: 'Pulso demo', address: '127.0.0.1' };
    const given = { name, username, email, isCoach, bio, specialties };
    const profile = { ...given, password: DEMO_PASSWORD, device, language: 'en' };
    try {
      const signedUp = await clock.at(joined, () => callAs(undefined, () => identity.signUp(profile)));
      return { account: accountOf(signedUp.accessToken), isNew: true };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'email-already-in-use') throw error;
      const signedIn = await callAs(undefined, () => identity.logIn(profile));
      return { account: accountOf(signedIn.accessToken), isNew: false };
    }
  }

  /** As an operator does: what the demo's people do to each other is mailed to them. */
  async function verifyEmail(username: Username): Promise<void> {
    const command = SERVICES.identity.commands['verify-email']!;
    await command.prepare({ operands: [username], options: {} })(pulso.services.identity);
  }

  async function publish(post: DemoPost, index: number): Promise<void> {
    // Not all at the same minute of an hour.
    const at = now - post.hoursAgo * HOUR_MS - ((index * 37) % 60) * MINUTE_MS;
    const once = (part: string) => ({ key: `demo-${index}-${part}`, scope: 'seed', bodyHash: part });
    const id = (isRepetition && (await findPost(post))) || (await create());
    const existing = isRepetition ? await commentsOf(post, id) : new Map<string, string>();
    const { likedBy = [], comments = [] } = post;
    for (const [order, username] of likedBy.entries()) {
      await as(username, at + (order + 1) * 11 * MINUTE_MS, () => posts.likePost({ postId: id }));
    }
    for (const [number, { author, minutesLater, content, likedBy: fans = [] }] of comments.entries()) {
      const time = at + minutesLater * MINUTE_MS;
      const comment = () => posts.addComment({ postId: id, content, idempotency: once(`comment-${number}`) });
      const commentId = existing.get(content) ?? (await as(author, time, comment)).id;
      for (const [order, username] of fans.entries()) {
        await as(username, time + (order + 1) * 7 * MINUTE_MS, () => posts.likeComment({ commentId }));
      }
    }

    async function create(): Promise<string> {
      const visibility =
        post.visibility === 'public' ? Visibility.VISIBILITY_PUBLIC : Visibility.VISIBILITY_SUBSCRIBERS;
      const { content } = post;
      const created = await as(post.author, at, () =>
        posts.publishPost({ content, visibility, images: [], idempotency: once('post') }),
      );
      return created.id;
    }
  }

  /** The keys of an earlier, killed seed may be forgotten already: their times are in the past. */
  async function findPost({ author, content }: DemoPost): Promise<string | undefined> {
    const list = () => posts.listUserPosts({ userId: idOf(author), limit: 50, cursor: '' });
    return (await as(author, now, list)).items.find((post) => post.content === content)?.id;
  }

  async function commentsOf({ author }: DemoPost, postId: string): Promise<Map<string, string>> {
    const { items } = await as(author, now, () => posts.listComments({ postId, limit: 50, cursor: '' }));
    return new Map(items.map(({ id, content }) => [content, id]));
  }
}

function accountOf(accessToken: string): Account {
  const { sub, sid } = decodeJwt<{ sid: string }>(accessToken);
  return { userId: sub!, sessionId: sid };
}

/** Runs the tasks, a few at once, in their order. Rejects with the first failure, after which no other task begins. */
async function inTurns<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const waiting = tasks.entries();
  const work = async () => {
    for (const [index, task] of waiting) results[index] = await task();
  };
  await Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, () =>
      work().catch((error: unknown) => {
        for (const _ of waiting);
        throw error;
      }),
    ),
  );
  return results;
}
