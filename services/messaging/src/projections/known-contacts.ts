import { Injectable } from '@nestjs/common';
import type { ContactState } from '@pulso/contracts/identity/v1/events';
import { contactTopic } from '@pulso/contracts/topics/identity';
import { userStatusOf } from '@pulso/contracts/user-status';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { type ContactRow, ContactRows } from './contact.schema.js';

/** Messaging's projection of users' mail addresses (MAIL-8); only what sends mail reads it. */
@Injectable()
export class KnownContacts extends ProjectedRows<ContactState, ContactRow> {
  readonly topic = contactTopic;

  constructor(rows: ContactRows, rebuilds: Rebuilds) {
    super(rows, rebuilds);
  }

  /** Null while the user's contact has not arrived. */
  get(userId: string): Promise<ContactRow | null> {
    return this.rows.findOne({ _id: userId });
  }

  /** Throws for a malformed id. What a deleted user's state may carry besides its status is not stored. */
  protected fieldsOf(state: ContactState) {
    if (!isId(state.id)) throw new Error(`not a user id: ${state.id}`);
    const status = userStatusOf(state);
    const { email, emailVerified, language, unsubscribeToken } = state;
    const { wantsSubscriptionMails, wantsSecurityMails } = state;
    const kept =
      status === 'deleted'
        ? {
            email: '',
            emailVerified: false,
            language: '',
            unsubscribeToken: '',
            wantsSubscriptionMails: false,
            wantsSecurityMails: false,
          }
        : {
            email,
            emailVerified,
            language,
            unsubscribeToken,
            wantsSubscriptionMails,
            wantsSecurityMails,
          };
    return { status, ...kept, createdAt: new Date(state.createdAt) };
  }

  /** No row is cached. */
  protected rebuilt(): void {}
}
