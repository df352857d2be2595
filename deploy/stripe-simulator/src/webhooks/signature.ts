import { createHmac } from 'node:crypto';

/** The header `stripe-signature` of a body, with a signature of each secret. @param at in seconds */
export function signatureOf(body: string, secrets: readonly string[], at: number): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
  );
  return [`t=${at}`, ...signatures].join(',');
}
