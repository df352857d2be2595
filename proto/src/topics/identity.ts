import { ContactState, UserState } from '@pulso/contracts/identity/v1/events';
import { stateTopic } from './topic.js';

export const userTopic = stateTopic('pulso.identity.user.v1', UserState, ({ id }) => [id]);

/** Where each user gets mail. It alone has e-mail addresses, and only messaging reads it (MAIL-8). */
export const contactTopic = stateTopic('pulso.identity.contact.v1', ContactState, ({ id }) => [id]);
