import { Injectable } from '@nestjs/common';
import type { Account, User } from '@pulso/contracts/identity/v1/identity';
import type { UserStats } from '@pulso/contracts/posts/v1/posts';
import type { Relation } from '@pulso/contracts/social/v1/social';
import { viewerId } from '@pulso/platform/context/request-context';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { PostsClient, SocialClient } from '../clients.js';
import { apiTime } from '../http/api-time.js';
import { required, toPrice, toUserRef } from '../user-ref/to-user-ref.js';
import type { Me, Profile } from './user.dto.js';

/** After this time the numbers of a profile are null. */
const NUMBERS_DEADLINE_MS = 2_000;
const QUOTA_BYTES = 524_288_000;

/** A user's numbers from posts and social; null if the service is down or too slow. */
export interface ProfileNumbers {
  stats: UserStats | null;
  relation: Omit<Relation, 'userId'> | null;
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
};

/** Puts Profile and Me together from several services, in parallel; a number whose service is down is null. */
@Injectable()
export class ComposeProfile {
  constructor(
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
    return toMe(account, user, await this.numbers(user.id));
  }

  /** The profiles of a list, without those hidden by a block that the list's own service has not heard of yet. */
  async list(users: readonly User[]): Promise<Profile[]> {
    const numbers = await this.numbersOf(users.map(({ id }) => id));
    return users.flatMap((user, index) => {
      const { stats, relation } = numbers[index]!;
      if (relation?.blocked || relation?.blockedBy) return [];
      return [profileFor(user, { stats, relation }, viewerId())];
    });
  }

  /** At most 100, in the order asked for. */
  private async numbersOf(userIds: readonly string[]): Promise<ProfileNumbers[]> {
    const [stats, relations] = await Promise.all([this.statsOf(userIds), this.relationsOf(userIds)]);
    return userIds.map((_id, index) => ({
      stats: stats?.[index] ?? null,
      relation: relations?.[index] ?? null,
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

/** As the caller of the current context sees it. Throws not-found when the user has blocked them (PEOPLE-23). */
export function toProfile(user: User, numbers: ProfileNumbers): Profile {
  if (numbers.relation?.blockedBy) throw notFound('User not found');
  return profileFor(user, numbers, viewerId());
}

export function toMe(account: Account, user: User, numbers: ProfileNumbers): Me {
  const { email, pendingEmail, emailVerified, hasPassword } = account;
  return {
    ...profileFor(user, numbers, user.id),
    email,
    pendingEmail: pendingEmail === '' ? null : pendingEmail,
    emailVerified,
    hasPassword,
    storage: { quotaBytes: QUOTA_BYTES, bytesUsed: 0 },
  };
}

/** Subscriptions have no service yet: 0 and false (PEOPLE-2). */
function profileFor(user: User, { stats, relation }: ProfileNumbers, viewer: string | null): Profile {
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
      subscribers: 0,
      likes: stats?.likes ?? null,
      comments: stats?.comments ?? null,
    },
    rating: {
      averageRating: relation?.rating?.averageRating ?? null,
      totalReviews: relation?.rating?.totalReviews ?? null,
    },
    viewer:
      viewer === null
        ? null
        : {
            isSelf: viewer === user.id,
            following: relation?.following ?? null,
            followsYou: relation?.followsYou ?? null,
            subscribed: false,
            reviewed: relation?.reviewed ?? null,
            blocked: relation?.blocked ?? null,
          },
  };
}
