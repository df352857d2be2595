import type { Account, User as UserMessage } from '@pulso/contracts/identity/v1/identity';
import type { ShownAccount, ShownUser } from '../store/shown-user.js';
import type { User } from '../store/user.entity.js';

/** The public profile of a user. */
export function toUserMessage(user: ShownUser): UserMessage {
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    profileImageId: user.profileImageId ?? '',
    isCoach: user.isCoach,
    bio: user.bio,
    // Kept for when they coach again (PEOPLE-12).
    specialties: user.isCoach ? user.specialties : [],
    subscriptionPriceMinor: user.price?.minor ?? undefined,
    // Empty while no price is set, even if the owner has already chosen a currency.
    subscriptionCurrency: user.price && user.price.minor !== null ? user.price.currency : '',
    createdAt: user.createdAt,
  };
}

/** An account as only its owner sees it. */
export function toAccountMessage(user: ShownAccount | User): Account {
  return {
    user: toUserMessage(user),
    email: user.email,
    pendingEmail: user.pendingEmail ?? '',
    emailVerified: user.emailVerified,
    hasPassword: 'hasPassword' in user ? user.hasPassword : user.passwordHash !== null,
    language: user.language,
    emails: { subscriptions: user.wantsSubscriptionMails, security: user.wantsSecurityMails },
  };
}
