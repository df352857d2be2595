import { TEXT_LIMITS } from '@pulso/contracts/limits';
import { cleanText } from '@pulso/platform/text/text-rules';
import { isEmail, normaliseEmail } from '../user/email.js';

/** What a provider says of a user: claims of OpenID Connect, which anything may be wrong with. */
export interface OpenidClaims {
  iss: string;
  sub: string;
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
}

/** Who signs in, as Pulso takes it. */
export interface OpenidProfile {
  issuer: string;
  /** Of the user at the provider: never given to another one. */
  subject: string;
  email: string;
  /** Whether the provider says that the address is the user's. */
  emailVerified: boolean;
  name: string;
}

/** Undefined where there is no usable address: an account cannot be without one. */
export function profileOf(claims: OpenidClaims): OpenidProfile | undefined {
  const email = textOf(claims.email, (text) => normaliseEmail(text).value);
  if (email === undefined || !isEmail(email)) return undefined;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    // Some providers send it as a text.
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: nameOf(claims.name, email),
  };
}

/** As the profile editor would take it; the beginning of the address where the provider has no such name. */
function nameOf(given: unknown, email: string): string {
  const max = TEXT_LIMITS.name.max;
  const cleaned = textOf(
    given,
    (text) => cleanText([...text].slice(0, max).join(''), TEXT_LIMITS.name).value,
  );
  return cleaned || email.slice(0, email.indexOf('@'));
}

const textOf = (value: unknown, read: (text: string) => string | undefined): string | undefined =>
  typeof value === 'string' ? read(value) : undefined;
