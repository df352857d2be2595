/** A mail that was delivered into the development mailbox. */
export interface DevMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  sentAt: Date;
}

/** The mails that the embedded profile has sent. */
export interface DevMailbox {
  /** Newest first; `to` keeps those to one address. */
  list(filter: { to?: string }): Promise<readonly DevMail[]>;
  find(id: string): Promise<DevMail | undefined>;
}
