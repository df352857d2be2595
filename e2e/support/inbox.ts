import type { RunningPulso } from './test-pulso.js';

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

/** Where a Pulso's mails can be read: in its inbox, else at its development mailbox. */
type Mailed = Pick<RunningPulso, 'url' | 'inboxUrl'>;

/** What came to an address. `status` is 404 where no process shows its mails, and there are none then. */
export async function mailsTo(
  { url, inboxUrl }: Mailed,
  to: string,
): Promise<{ status: number; mails: InboxMail[] }> {
  if (inboxUrl) {
    const mails = await mailsOf(inboxUrl);
    return { status: 200, mails: mails.filter((one) => one.to === to.toLowerCase()) };
  }
  const answer = await fetch(`${url}/dev/mail?to=${encodeURIComponent(to)}`, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(15_000),
  });
  const mails = answer.status === 200 ? ((await answer.json()) as InboxMail[]) : [];
  return { status: answer.status, mails };
}
