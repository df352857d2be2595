import {
  AccountNoticeState,
  ContactState,
  PriceIntentState,
  UserState,
} from '@pulso/contracts/identity/v1/events';
import { stateTopic } from './topic.js';

export const userTopic = stateTopic('pulso.identity.user.v1', UserState, ({ id }) => [id]);

/** Where each user gets mail. It alone has e-mail addresses, and only messaging reads it (MAIL-8). */
export const contactTopic = stateTopic('pulso.identity.contact.v1', ContactState, ({ id }) => [id]);

/** The price that a coach asked for last, until billing has stored it. */
export const priceIntentTopic = stateTopic(
  'pulso.identity.price-intent.v1',
  PriceIntentState,
  ({ userId }) => [userId],
);

/** Mails that users are to get about their accounts. Only messaging reads it, and only its mail worker what is sealed in it. */
export const accountNoticeTopic = stateTopic(
  'pulso.identity.account-notice.v1',
  AccountNoticeState,
  ({ id }) => [id],
);
