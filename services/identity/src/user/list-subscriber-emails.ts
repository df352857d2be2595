import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { readUserIds } from './read-user-ids.js';
import { KnownSubscriptions, type SubscriberEmailRow } from '../projections/known-subscriptions.js';

/**
 * The e-mail addresses of those of the users who have access as the caller's subscribers now (SUBS-27); a caller who is no
 * active coach gets none. Throws `not-authenticated`, `validation-failed`.
 */
@Injectable()
export class ListSubscriberEmails {
  constructor(private readonly subscriptions: KnownSubscriptions) {}

  async execute(userIds: readonly string[]): Promise<SubscriberEmailRow[]> {
    const { userId: coachId } = requireCaller();
    return this.subscriptions.emailsOfSubscribers(coachId, readUserIds('userIds', userIds));
  }
}
