import { ConfigError } from '@pulso/platform/process/load-config';
import { openingKeys } from '@pulso/platform/process/json-settings';
import { publicUrl } from '@pulso/platform/process/public-url';
import { secret } from '@pulso/platform/process/secret';
import { settings } from '@pulso/platform/process/settings';
import { z } from 'zod';

/** `Name <address>` or an address. */
const SENDER = /^(?:[^<>"@,;\p{Cc}]+ )?(?:<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u;
const SENDER_PROBLEM = 'must be an address, or a name and an address: Pulso <no-reply@example.org>';

/** The settings of the mail worker. Those of SMTP are needed unless the mails go into the mailbox of development. */
export class MailSettings extends settings({
  MAIL_TRANSPORT: z.enum(['smtp', 'mailbox'], 'must be smtp or mailbox').default('smtp'),
  /** With the user and the password, where the server asks for them. */
  SMTP_URL: secret(
    z.url({ protocol: /^smtps?$/, error: 'must be smtp:// or smtps://user:password@host:port' }).optional(),
  ),
  MAIL_FROM: z.string().regex(SENDER, SENDER_PROBLEM).optional(),
  /** Open what identity seals for the mails of accounts (MAIL-13). */
  MAIL_OPENING_KEYS: openingKeys,
  /** The origin in the links of the mails. */
  PUBLIC_URL: publicUrl,
  MAIL_DKIM_DOMAIN: z.hostname('must be a host name').optional(),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9._-]+$/i, 'must be a selector')
    .optional(),
  /** PEM; `\n` stands for a line break. */
  MAIL_DKIM_KEY: secret(
    z
      .string()
      .transform((key) => key.replaceAll('\\n', '\n'))
      .refine((key) => key.includes('PRIVATE KEY-----'), 'must be a private key in PEM')
      .optional(),
  ),
}) {
  static override check(values: Readonly<Record<string, unknown>>): void {
    const settings = values as unknown as MailSettings;
    if (settings.MAIL_TRANSPORT === 'smtp') smtpTargetOf(settings);
  }
}

export interface SmtpTarget {
  url: string;
  /** Whether a server that offers no TLS gets nothing: otherwise whoever is in between could take the offer away. */
  requiresTls: boolean;
  from: { name: string; address: string };
  dkim: { domainName: string; keySelector: string; privateKey: string } | undefined;
}

/** The settings of SMTP. Throws ConfigError if one is missing. */
export function smtpTargetOf(settings: MailSettings): SmtpTarget {
  const { SMTP_URL: url, MAIL_FROM: from } = settings;
  if (url === undefined) {
    throw new ConfigError(
      'Wrong settings. SMTP_URL: is not set; without it MAIL_TRANSPORT=mailbox keeps the mails in the store',
    );
  }
  if (from === undefined) throw new ConfigError('Wrong settings. MAIL_FROM: is not set');
  return { url, requiresTls: requiresTls(new URL(url)), from: senderOf(from), dkim: dkimOf(settings) };
}

/** What is sent there stays on this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** With a password, and wherever others could read the mails on their way. */
const requiresTls = ({ protocol, username, hostname }: URL) =>
  protocol === 'smtps:' || username !== '' || !LOOPBACK.test(hostname);

function dkimOf(settings: MailSettings): SmtpTarget['dkim'] {
  const {
    MAIL_DKIM_DOMAIN: domainName,
    MAIL_DKIM_SELECTOR: keySelector,
    MAIL_DKIM_KEY: privateKey,
  } = settings;
  if (domainName !== undefined && keySelector !== undefined && privateKey !== undefined) {
    return { domainName, keySelector, privateKey };
  }
  if (domainName === undefined && keySelector === undefined && privateKey === undefined) return undefined;
  throw new ConfigError(
    'Wrong settings. MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY: set all three or none',
  );
}

function senderOf(from: string): SmtpTarget['from'] {
  const named = /^(.*?) ?<(.+)>$/u.exec(from);
  return named ? { name: named[1]!, address: named[2]! } : { name: '', address: from };
}
