import { z } from 'zod';

/**
 * Where browsers reach Pulso, as an origin: in small letters, without a slash at the end and without the scheme's own port. What
 * is more than an origin, such as a path or a user, is refused: addresses, cookies and HSTS are made from it.
 */
export const publicUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
  .refine((url) => new URL(url).href === `${new URL(url).origin}/`, 'must be an origin, without a path')
  .transform((url) => new URL(url).origin);
