export interface InboxMail {
  /** The address alone. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

interface MaildevMail extends Omit<InboxMail, 'to'> {
  to: { address: string }[];
}

/** All mails of an inbox of MailDev, at the URL of its page. */
export async function mailsOf(inboxUrl: string): Promise<InboxMail[]> {
  const response = await fetch(`${inboxUrl}/api/email`, { signal: AbortSignal.timeout(15_000) });
  if (!response.ok) throw new Error(`${inboxUrl}/api/email: ${response.status}`);
  const mails = (await response.json()) as MaildevMail[];
  return mails.map(({ to, ...mail }) => ({ ...mail, to: to[0]!.address }));
}
