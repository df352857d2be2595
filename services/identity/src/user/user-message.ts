import type { Account, User as UserMessage } from '@pulso/contracts/identity/v1/identity';
import { shownCurrency } from './user-state.js';
import type { User } from './user.entity.js';

/** The public profile of a user. */
export function toUserMessage(user: User): UserMessage {
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    profileImageId: user.profileImageId ?? '',
    isCoach: user.isCoach,
    bio: user.bio,
    // Kept for when they coach again (PEOPLE-12).
    specialties: user.isCoach ? user.specialties : [],
    subscriptionPriceMinor: user.subscriptionPriceMinor ?? undefined,
    subscriptionCurrency: shownCurrency(user),
    createdAt: user.createdAt,
  };
}

/** An account as only its owner sees it. */
export function toAccountMessage(user: User): Account {
  return {
    user: toUserMessage(user),
    email: user.email,
    pendingEmail: user.pendingEmail ?? '',
    emailVerified: user.emailVerified,
    hasPassword: user.passwordHash !== null,
    language: user.language,
    emails: { subscriptions: user.wantsSubscriptionMails, security: user.wantsSecurityMails },
  };
}
