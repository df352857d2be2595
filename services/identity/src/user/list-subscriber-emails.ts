import { Injectable } from '@nestjs/common';
import type {
  ListSubscriberEmailsRequest,
  ListSubscriberEmailsResponse,
} from '@pulso/contracts/identity/v1/identity';
import { requireCaller } from '@pulso/platform/context/request-context';
import { readUserIds } from '@pulso/platform/validation/read-user-ids';
import { KnownSubscriptions } from '../projections/known-subscriptions.js';

/**
 * The e-mail addresses of those of the users who have access as the caller's subscribers now (SUBS-27); a caller who is no
 * active coach gets none. Throws `not-authenticated`, `validation-failed`.
 */
@Injectable()
export class ListSubscriberEmails {
  constructor(private readonly subscriptions: KnownSubscriptions) {}

  async execute({ userIds }: ListSubscriberEmailsRequest): Promise<ListSubscriberEmailsResponse> {
    const { userId: coachId } = requireCaller();
    const wanted = readUserIds('userIds', userIds);
    return { emails: await this.subscriptions.emailsOfSubscribers(coachId, wanted) };
  }
}
