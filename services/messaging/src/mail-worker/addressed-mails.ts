import { Injectable } from '@nestjs/common';
import { languageOf } from '@pulso/contracts/limits';
import type { SealedNotice } from '@pulso/contracts/identity/v1/events';
import type { UserRow } from '@pulso/platform/mongo/user-projection';
import { Clock } from '@pulso/platform/time/clock';
import { type MailOrder, renderMail } from '../mail-templates/render-mail.js';
import { topicOf } from '../mail-templates/template-facts.js';
import type { ContactRow } from '../projections/contact.schema.js';
import { KnownContacts } from '../projections/known-contacts.js';
import { KnownUsers } from '../projections/known-users.js';
import type { MailKind, SealedFacts } from '../store/mail.js';
import type { MailDocument } from '../store/mail.schema.js';
import { deviceNames } from './device-names.js';
import { MailSettings } from './mail-settings.js';
import type { OutgoingMail } from './mailer.js';
import { SealedNotices } from './sealed-notices.js';

/** Why a mail is not sent. `unknown`: an event about one of the two has not arrived. */
export type NotAddressed = 'unknown' | 'expired' | 'deleted' | 'suspended' | 'not verified' | 'not wanted';

/** A mail whose receiver gets it; `write` renders it in the receiver's language. */
export interface AddressedMail {
  write(): Promise<OutgoingMail>;
}

/** What a mail says besides its facts: of whom it is about, and what was sealed. */
interface Said {
  other?: UserRow;
  notice?: SealedNotice;
}

type Content = { [K in MailKind]: Pick<MailOrder<K>, 'kind' | 'facts'> }[MailKind];

/** Finds whom a mail goes to and what it says at the moment of sending. */
@Injectable()
export class AddressedMails {
  constructor(
    private readonly contacts: KnownContacts,
    private readonly users: KnownUsers,
    private readonly notices: SealedNotices,
    private readonly settings: MailSettings,
    private readonly clock: Clock,
  ) {}

  async of(mail: MailDocument): Promise<AddressedMail | NotAddressed> {
    const { sealed, expiresAt = Infinity } = sealedIn(mail);
    if (expiresAt <= this.clock.now()) return 'expired';
    const otherId = otherOf(mail);
    const ids = otherId === undefined ? [mail.userId] : [mail.userId, otherId];
    const [contact, people] = await Promise.all([this.contacts.get(mail.userId), this.users.stored(ids)]);
    const receiver = people.get(mail.userId);
    if (!contact || !receiver) return 'unknown';
    const problem = problemOf(mail, contact);
    if (problem) return problem;
    if (otherId === undefined) {
      return {
        write: async () => this.write(mail, contact, receiver, { notice: await this.opened(sealed) }),
      };
    }
    const other = people.get(otherId);
    if (!other) return 'unknown';
    // Who has paid is told, whatever has become of the coach.
    if (other.status !== 'active' && mail.kind !== 'payment-notice') return other.status;
    return { write: () => this.write(mail, contact, receiver, { other }) };
  }

  /** Only when a mail is sent, so that a token is in memory for that long alone (MAIL-13). */
  private opened(sealed: string | undefined): Promise<SealedNotice> | undefined {
    return sealed === undefined ? undefined : this.notices.open(sealed);
  }

  private async write(
    mail: MailDocument,
    { email, emailVerified, language, unsubscribeToken }: ContactRow,
    receiver: UserRow,
    { other, notice }: Said,
  ): Promise<OutgoingMail> {
    const { PUBLIC_URL: publicUrl } = this.settings;
    const to = notice?.to || email;
    // Anybody may sign up with a stranger's address, or change to one, under any name (MAIL-9).
    const name = emailVerified && to === email ? receiver.name : '';
    const order = { name, language: languageOf(language), publicUrl, unsubscribeToken };
    const rendered = await renderMail({ ...contentOf(mail, { other, notice }), ...order });
    return { ...rendered, id: mail._id, to, date: new Date(this.clock.now()) };
  }
}

/** What of a mail may be sealed, and until when it may be sent. */
function sealedIn({ facts }: MailDocument): Partial<SealedFacts> {
  return 'sealed' in facts ? facts : {};
}

/**
 * Whether the owner of an address that is not verified gets the mail: the address may be a stranger's, and only these lead to its
 * verification (MAIL-9).
 */
const leadsToVerification = ({ kind, facts }: MailDocument): boolean =>
  kind === 'welcome' ||
  (kind === 'account-notice' && (facts.notice === 'verifyEmail' || facts.notice === 'resetPassword'));

function problemOf(
  mail: MailDocument,
  { status, emailVerified, wantsSubscriptionMails, wantsSecurityMails }: ContactRow,
): NotAddressed | undefined {
  const { kind } = mail;
  if (status === 'deleted') return 'deleted';
  // Suspended users get the mail that says so, and no other.
  if (status === 'suspended' && kind !== 'moderation-decision') return 'suspended';
  if (!emailVerified && !leadsToVerification(mail)) return 'not verified';
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
    case 'account-notice':
    case 'new-sign-in':
    case 'moderation-decision':
      return undefined;
  }
}

function contentOf({ kind, facts }: MailDocument, { other, notice }: Said): Content {
  switch (kind) {
    case 'subscription-confirmed':
      return { kind, facts: { coachName: other!.name, coachUsername: other!.username } };
    case 'new-subscriber':
      return { kind, facts: { subscriberName: other!.name, subscriberUsername: other!.username } };
    case 'welcome':
      return { kind, facts: { token: notice?.token ?? '' } };
    case 'account-notice':
      return { kind, facts: { notice: facts.notice, token: notice!.token } };
    case 'new-sign-in':
      return { kind, facts: { ...deviceNames(notice!.userAgent), at: notice!.at } };
    case 'moderation-decision':
      return { kind, facts };
    case 'payment-notice': {
      const { coachId: _coachId, ...notice } = facts;
      const { name, username } = other!.status === 'active' ? other! : { name: '', username: '' };
      return { kind, facts: { ...notice, coachName: name, coachUsername: username } };
    }
  }
}
