import { contactTopic, userTopic } from '@pulso/contracts/topics/identity';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { toContactState } from './contact-state.js';
import { toUserState } from './user-state.js';
import type { User } from './user.entity.js';

/**
 * Publishes what a write has made of a user: the public state, and the contact, which alone has the e-mail address
 * (MAIL-8). Both have the user's version. Every write that gives a user a new version calls it.
 */
export async function publishUser(user: User, transaction: Transaction): Promise<void> {
  await transaction.publish(userTopic, toUserState(user));
  await transaction.publish(contactTopic, toContactState(user));
}

/** For a request that asked for what the user is already; see `Transaction.recordUnchanged`. */
export function userStands(user: User, transaction: Transaction): void {
  transaction.recordUnchanged(userTopic, toUserState(user));
  transaction.recordUnchanged(contactTopic, toContactState(user));
}
