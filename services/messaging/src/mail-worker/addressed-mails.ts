import { Injectable } from '@nestjs/common';
import { languageOf } from '@pulso/contracts/limits';
import type { UserRow } from '@pulso/platform/mongo/user-projection';
import { Clock } from '@pulso/platform/time/clock';
import { type MailOrder, renderMail } from '../mail-templates/render-mail.js';
import { topicOf } from '../mail-templates/template-facts.js';
import type { ContactRow } from '../projections/contact.schema.js';
import { KnownContacts } from '../projections/known-contacts.js';
import { KnownUsers } from '../projections/known-users.js';
import type { MailKind } from '../store/mail.js';
import type { MailDocument } from '../store/mail.schema.js';
import { MailSettings } from './mail-settings.js';
import type { OutgoingMail } from './mailer.js';

/** Why a mail is not sent. `unknown`: an event about one of the two has not arrived. */
export type NotAddressed = 'unknown' | 'deleted' | 'suspended' | 'not verified' | 'not wanted';

/** A mail whose receiver gets it; `write` renders it in the receiver's language. */
export interface AddressedMail {
  write(): Promise<OutgoingMail>;
}

type Content = { [K in MailKind]: Pick<MailOrder<K>, 'kind' | 'facts'> }[MailKind];

/** Finds whom a mail goes to and what it says at the moment of sending. */
@Injectable()
export class AddressedMails {
  constructor(
    private readonly contacts: KnownContacts,
    private readonly users: KnownUsers,
    private readonly settings: MailSettings,
    private readonly clock: Clock,
  ) {}

  async of(mail: MailDocument): Promise<AddressedMail | NotAddressed> {
    const otherId = otherOf(mail);
    const ids = otherId === undefined ? [mail.userId] : [mail.userId, otherId];
    const [contact, people] = await Promise.all([this.contacts.get(mail.userId), this.users.stored(ids)]);
    const receiver = people.get(mail.userId);
    if (!contact || !receiver) return 'unknown';
    const problem = problemOf(mail, contact);
    if (problem) return problem;
    if (otherId === undefined) return { write: () => this.write(mail, contact, receiver, undefined) };
    const other = people.get(otherId);
    if (!other) return 'unknown';
    // Who has paid is told, whatever has become of the coach.
    if (other.status !== 'active' && mail.kind !== 'payment-notice') return other.status;
    return { write: () => this.write(mail, contact, receiver, other) };
  }

  private async write(
    mail: MailDocument,
    { email: to, emailVerified, language, unsubscribeToken }: ContactRow,
    receiver: UserRow,
    other: UserRow | undefined,
  ): Promise<OutgoingMail> {
    const { PUBLIC_URL: publicUrl } = this.settings;
    // Anybody may sign up with a stranger's address, under any name (MAIL-9).
    const name = emailVerified ? receiver.name : '';
    const order = { name, language: languageOf(language), publicUrl, unsubscribeToken };
    const rendered = await renderMail({ ...contentOf(mail, other), ...order });
    return { ...rendered, id: mail._id, to, date: new Date(this.clock.now()) };
  }
}

function problemOf(
  { kind }: MailDocument,
  { status, emailVerified, wantsSubscriptionMails, wantsSecurityMails }: ContactRow,
): NotAddressed | undefined {
  if (status === 'deleted') return 'deleted';
  // Suspended users get the mail that says so, and no other.
  if (status === 'suspended' && kind !== 'moderation-decision') return 'suspended';
  // It may be a stranger's (MAIL-9).
  if (!emailVerified && kind !== 'welcome') return 'not verified';
  const wants = { subscriptions: wantsSubscriptionMails, security: wantsSecurityMails };
  const topic = topicOf(kind);
  return topic && !wants[topic] ? 'not wanted' : undefined;
}

/** Whom the mail is about, besides its receiver. */
function otherOf({ kind, facts }: MailDocument): string | undefined {
  switch (kind) {
    case 'subscription-confirmed':
    case 'payment-notice':
      return facts.coachId;
    case 'new-subscriber':
      return facts.subscriberId;
    case 'welcome':
    case 'moderation-decision':
      return undefined;
  }
}

function contentOf({ kind, facts }: MailDocument, other: UserRow | undefined): Content {
  switch (kind) {
    case 'subscription-confirmed':
      return { kind, facts: { coachName: other!.name, coachUsername: other!.username } };
    case 'new-subscriber':
      return { kind, facts: { subscriberName: other!.name, subscriberUsername: other!.username } };
    case 'welcome':
      return { kind, facts };
    case 'moderation-decision':
      return { kind, facts };
    case 'payment-notice': {
      const { coachId: _coachId, ...notice } = facts;
      const { name, username } = other!.status === 'active' ? other! : { name: '', username: '' };
      return { kind, facts: { ...notice, coachName: name, coachUsername: username } };
    }
  }
}
