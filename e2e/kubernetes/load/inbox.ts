export interface Mail {
  to: string;
  subject: string;
}

interface InboxMail {
  subject: string;
  to: { address: string }[];
}

/** All mails of the inbox (maildev), at the URL of its page. */
export async function mailsOf(inboxUrl: string): Promise<Mail[]> {
  const response = await fetch(`${inboxUrl}/api/email`, { signal: AbortSignal.timeout(15_000) });
  if (!response.ok) throw new Error(`${inboxUrl}/api/email: ${response.status}`);
  const mails = (await response.json()) as InboxMail[];
  return mails.map(({ to, subject }) => ({ to: to[0]!.address, subject }));
}
