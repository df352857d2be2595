import { Injectable } from '@nestjs/common';
import type { Standing } from '@pulso/contracts/billing/v1/billing';
import type { Account, User, UserPage } from '@pulso/contracts/identity/v1/identity';
import { languageOf } from '@pulso/contracts/limits';
import type { UserStats } from '@pulso/contracts/posts/v1/posts';
import type { Relation } from '@pulso/contracts/social/v1/social';
import { DELETED_USER_NAME } from '@pulso/contracts/user-status';
import { viewerId } from '@pulso/platform/context/request-context';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { BillingClient, MediaClient, PostsClient, SocialClient } from '../clients.js';
import { apiTime } from '../http/bodies/api-time.js';
import { apiCursor } from '../http/bodies/list-query.js';
import type { StorageUsage } from '../media/storage.dto.js';
import { required, toPrice, toUserRef } from '../user-ref/to-user-ref.js';
import type { Person, PersonPage, UserRef, UserRefPage } from '../user-ref/user-ref.dto.js';
import type { Me, Profile, ProfilePage } from './profile.dto.js';
import { toOwnSubscription } from './to-own-subscription.js';

/** After this time the numbers of a profile are null. */
const NUMBERS_DEADLINE_MS = 2_000;
/** Of a user who has just signed up (MEDIA-13). */
export const EMPTY_STORAGE: StorageUsage = { quotaBytes: 524_288_000, bytesUsed: 0 };
const UNKNOWN_STORAGE: StorageUsage = { ...EMPTY_STORAGE, bytesUsed: null };

/** A user's numbers from posts, social and billing; null if the service is down or too slow. */
export interface ProfileNumbers {
  stats: UserStats | null;
  relation: Omit<Relation, 'userId'> | null;
  standing: Omit<Standing, 'userId'> | null;
}

/** The numbers of a user who has just signed up. */
export const NO_NUMBERS: ProfileNumbers = {
  stats: { posts: 0, likes: 0, comments: 0 },
  relation: {
    following: false,
    followsYou: false,
    blocked: false,
    blockedBy: false,
    followerCount: 0,
    followingCount: 0,
    rating: { averageRating: 0, totalReviews: 0 },
    reviewed: false,
  },
  standing: { subscriberCount: 0, subscribed: false, own: undefined },
};

/** Of whom a list keeps the id alone. */
const NOBODY: User = {
  id: '',
  name: DELETED_USER_NAME,
  username: '',
  profileImageId: '',
  isCoach: false,
  bio: '',
  specialties: [],
  subscriptionPriceMinor: undefined,
  subscriptionCurrency: '',
  createdAt: 0,
};

/**
 * Puts Profile (PEOPLE-1) and Me together from several services, in parallel; a number whose service is down is null
 * (PEOPLE-2).
 */
@Injectable()
export class ComposeProfile {
  constructor(
    private readonly billing: BillingClient,
    private readonly media: MediaClient,
    private readonly posts: PostsClient,
    private readonly social: SocialClient,
    private readonly logger: Logger,
  ) {}

  async numbers(userId: string): Promise<ProfileNumbers> {
    const [numbers] = await this.numbersOf([userId]);
    return required(numbers, 'numbers');
  }

  async me(account: Account): Promise<Me> {
    const user = required(account.user, 'user');
    const [numbers, storage] = await Promise.all([this.numbers(user.id), this.storage()]);
    return toMe(account, user, numbers, storage);
  }

  /** The caller's storage; what is used is null when media is not available. */
  async storage(): Promise<StorageUsage> {
    const asked = this.media.getStorage({}, { deadlineMs: NUMBERS_DEADLINE_MS });
    return (await this.orNull(asked)) ?? UNKNOWN_STORAGE;
  }

  /** The profiles of a list, without those hidden by a block that the list's own service has not heard of yet. */
  async list(users: readonly User[]): Promise<Profile[]> {
    const numbers = await this.numbersOf(users.map(({ id }) => id));
    return users.flatMap((user, index) => {
      const { relation } = numbers[index]!;
      if (relation?.blocked || relation?.blockedBy) return [];
      return [profileFor(user, numbers[index]!, viewerId())];
    });
  }

  /** The same of a page. */
  async page({ items, nextCursor }: UserPage): Promise<ProfilePage> {
    return { items: await this.list(items), nextCursor: apiCursor(nextCursor) };
  }

  /** Also of somebody who is gone, or who has blocked the viewer: then it says no more than that of somebody deleted. */
  evenGone(id: string, user: User | undefined, numbers: ProfileNumbers): Profile {
    if (isSeen(user, numbers)) return profileFor(user, numbers, viewerId());
    return profileFor({ ...NOBODY, id }, NO_NUMBERS, viewerId());
  }

  /** A list of users as the viewer stands to them, without those hidden by a block that its service has not heard of. */
  async people({ items, nextCursor }: UserRefPage): Promise<PersonPage> {
    return { items: await this.asSeen(items), nextCursor };
  }

  private async asSeen(users: readonly UserRef[]): Promise<Person[]> {
    const viewer = viewerId();
    if (viewer === null) return users.map((user) => ({ ...user, viewer: null }));
    const relations = await this.relationsOf(users.map(({ id }) => id));
    return users.flatMap((user, index): Person[] => {
      const relation = relations?.[index];
      if (relation?.blocked || relation?.blockedBy) return [];
      return [{ ...user, viewer: { isSelf: viewer === user.id, following: relation?.following ?? null } }];
    });
  }

  /** At most 100, in the order asked for. */
  async numbersOf(userIds: readonly string[]): Promise<ProfileNumbers[]> {
    const [stats, relations, standings] = await Promise.all([
      this.statsOf(userIds),
      this.relationsOf(userIds),
      this.standingsOf(userIds),
    ]);
    return userIds.map((_id, index) => ({
      stats: stats?.[index] ?? null,
      relation: relations?.[index] ?? null,
      standing: standings?.[index] ?? null,
    }));
  }

  private statsOf(userIds: readonly string[]): Promise<UserStats[] | null> {
    const options = { deadlineMs: NUMBERS_DEADLINE_MS };
    const asked = this.posts.getUsersStats({ userIds: [...userIds] }, options);
    return this.orNull(asked.then(({ stats }) => stats));
  }

  private relationsOf(userIds: readonly string[]): Promise<Relation[] | null> {
    const options = { deadlineMs: NUMBERS_DEADLINE_MS };
    const asked = this.social.getRelations({ userIds: [...userIds] }, options);
    return this.orNull(asked.then(({ relations }) => relations));
  }

  /** How many subscribe to each, and whether the caller does; null while billing is down or too slow. */
  standingsOf(userIds: readonly string[]): Promise<Standing[] | null> {
    const options = { deadlineMs: NUMBERS_DEADLINE_MS };
    const asked = this.billing.getStandings({ userIds: [...userIds] }, options);
    return this.orNull(asked.then(({ standings }) => standings));
  }

  private async orNull<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn({ err: error }, 'cannot read the numbers of profiles; they are null');
      return null;
    }
  }
}

/** Whether the viewer may know more of a user than the id. */
export const isSeen = (
  user: User | undefined,
  { relation }: Pick<ProfileNumbers, 'relation'>,
): user is User => user !== undefined && !relation?.blockedBy;

/** As the caller of the current context sees it. Throws not-found when the user has blocked them (PEOPLE-23). */
export function toProfile(user: User, numbers: ProfileNumbers): Profile {
  if (numbers.relation?.blockedBy) throw notFound('User not found');
  return profileFor(user, numbers, viewerId());
}

export function toMe(account: Account, user: User, numbers: ProfileNumbers, storage: StorageUsage): Me {
  const { email, pendingEmail, emailVerified, hasPassword, language, emails } = account;
  return {
    ...profileFor(user, numbers, user.id),
    email,
    pendingEmail: pendingEmail === '' ? null : pendingEmail,
    emailVerified,
    hasPassword,
    // Identity of the version before names neither.
    language: languageOf(language),
    emails: emails ?? { subscriptions: true, security: true },
    storage,
  };
}

/** Without asking another service: the figures are null. The flags are known, since nobody follows, blocks or subscribes to themselves. */
export function toMeWithoutFigures(account: Account): Me {
  const user = required(account.user, 'user');
  const me = toMe(account, user, { stats: null, relation: null, standing: null }, UNKNOWN_STORAGE);
  return { ...me, viewer: toProfileViewer(NO_NUMBERS, true) };
}

function profileFor(user: User, numbers: ProfileNumbers, viewer: string | null): Profile {
  const { stats, relation, standing } = numbers;
  return {
    ...toUserRef(user),
    bio: user.bio,
    specialties: user.specialties,
    ...toPrice(user),
    createdAt: apiTime(user.createdAt),
    stats: {
      posts: stats?.posts ?? null,
      followers: relation?.followerCount ?? null,
      following: relation?.followingCount ?? null,
      subscribers: standing?.subscriberCount ?? null,
      likes: stats?.likes ?? null,
      comments: stats?.comments ?? null,
    },
    rating: {
      averageRating: relation?.rating?.averageRating ?? null,
      totalReviews: relation?.rating?.totalReviews ?? null,
    },
    viewer: viewer === null ? null : toProfileViewer(numbers, viewer === user.id),
  };
}

/** What a user is to the viewer (PEOPLE-3). */
export const toProfileViewer = (
  { relation, standing }: Pick<ProfileNumbers, 'relation' | 'standing'>,
  isSelf: boolean,
): NonNullable<Profile['viewer']> => ({
  isSelf,
  following: relation?.following ?? null,
  followsYou: relation?.followsYou ?? null,
  subscribed: standing?.subscribed ?? null,
  subscription: standing?.own ? toOwnSubscription(standing.own) : null,
  reviewed: relation?.reviewed ?? null,
  blocked: relation?.blocked ?? null,
});
