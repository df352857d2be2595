import type { RenderedMail } from '../mail-templates/render-mail.js';

export interface OutgoingMail extends RenderedMail {
  /** The same for the same mail, so that a receiver who gets it twice sees it once. */
  id: string;
  to: string;
  date: Date;
}

/** Delivers mails to their receivers' servers, or to the mailbox of development (MAIL-7). */
export abstract class Mailer {
  /** Rejects with MailError if the mail was not taken; after a lost connection it may have been. */
  abstract send(mail: OutgoingMail): Promise<void>;
}

/** Why a mail was not taken. It has no address and no text of the mail server, which may contain one. */
export class MailError extends Error {
  override readonly name = 'MailError';

  constructor(
    readonly code: string,
    readonly responseCode: number | undefined,
    /** Whether the server has refused the receiver or the mail for good: trying again is useless. */
    readonly isRefused: boolean,
  ) {
    super(`the mail was not taken: ${code}${responseCode === undefined ? '' : ` ${responseCode}`}`);
  }
}
