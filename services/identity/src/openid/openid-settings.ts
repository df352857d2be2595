import { ConfigError } from '@pulso/platform/process/load-config';
import { secret } from '@pulso/platform/process/secret';
import { z } from 'zod';

const GOOGLE = 'https://accounts.google.com';
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whose tokens and keys are read over the network: nobody on the way may change them. */
function isTrusted(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || LOOPBACK.has(hostname);
}

/** The OpenID provider whose users may sign in (ACCT-42); without a client id there is none. */
export const openidShape = {
  /** The identifier by which the provider calls itself; its discovery document is found below it. */
  OPENID_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be a URL', abort: true })
    .refine(isTrusted, 'must be an https URL, unless it is on this machine')
    .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
    .default(GOOGLE),
  OPENID_CLIENT_ID: z.string().max(255).optional(),
  OPENID_CLIENT_SECRET: secret(z.string().max(512).optional()),
};

/** Throws ConfigError where one of the two is missing: a client that cannot show who it is can sign in nobody. */
export function checkOpenid({
  OPENID_CLIENT_ID: id,
  OPENID_CLIENT_SECRET: clientSecret,
}: Readonly<Record<string, unknown>>): void {
  if (id !== undefined && clientSecret === undefined)
    throw new ConfigError('OPENID_CLIENT_SECRET: must be set with OPENID_CLIENT_ID');
  if (id === undefined && clientSecret !== undefined)
    throw new ConfigError('OPENID_CLIENT_ID: must be set with OPENID_CLIENT_SECRET');
}
