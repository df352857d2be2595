import { ContactState } from '@pulso/contracts/identity/v1/events';
import { WIRE_STATUS } from './user-state.js';
import type { User } from './user.entity.js';

/** Where a user gets mail, and which mails (MAIL-6, MAIL-8). That of a deleted user leads to nobody. */
export function toContactState(user: User): ContactState {
  const { id, version, createdAt } = user;
  const status = WIRE_STATUS[user.status];
  if (user.status === 'deleted') return ContactState.fromPartial({ id, version, status, createdAt });
  return {
    id,
    version,
    status,
    email: user.email,
    emailVerified: user.emailVerified,
    language: user.language,
    wantsSubscriptionMails: user.wantsSubscriptionMails,
    wantsSecurityMails: user.wantsSecurityMails,
    unsubscribeToken: user.unsubscribeToken,
    welcomedByNotice: user.welcomedByNotice,
    createdAt,
  };
}
