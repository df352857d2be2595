import {
  AccountNoticeState,
  ContactState,
  ErasureState,
  PriceIntentState,
  UserState,
  UserStatus,
} from '@pulso/contracts/identity/v1/events';
import { ABOUT_NOBODY, stateTopic } from './topic.js';

/** The user, but of a deletion nobody: everybody has to hear of that. */
const unlessDeleted = ({ id, status }: { id: string; status: UserStatus }): string[] =>
  status === UserStatus.USER_STATUS_DELETED ? [] : [id];

export const userTopic = stateTopic('pulso.identity.user.v1', UserState, ({ id }) => [id], unlessDeleted);

/** Where each user gets mail. It alone has e-mail addresses, and only messaging reads it (MAIL-8). */
export const contactTopic = stateTopic(
  'pulso.identity.contact.v1',
  ContactState,
  ({ id }) => [id],
  unlessDeleted,
);

/** The price that a coach asked for last, until billing has stored it. */
export const priceIntentTopic = stateTopic(
  'pulso.identity.price-intent.v1',
  PriceIntentState,
  ({ userId }) => [userId],
  ({ userId }) => [userId],
);

/** Mails that users are to get about their accounts. Only messaging reads it, and only its mail worker what is sealed in it. */
export const accountNoticeTopic = stateTopic(
  'pulso.identity.account-notice.v1',
  AccountNoticeState,
  ({ id }) => [id],
  ({ userId }) => [userId],
);

/** Accounts that are erased. Every service but identity acknowledges them on a topic of its own. */
export const erasureTopic = stateTopic(
  'pulso.identity.erasure.v1',
  ErasureState,
  ({ userId }) => [userId],
  ABOUT_NOBODY,
);
