const LONGEST = 300;
/** Keys, tokens and signatures: of foreign systems' own form, in headers, or any long run of letters and numbers. */
const SECRETS = /\b(?:[srp]k|whsec)_\w+|\b(?:Bearer|Basic)\s+\S+|[\w-]{40,}/g;
const ADDRESSES = /\S+@\S+/g;

/** An error of a foreign system as operators read it: its name, code and message, without secrets and e-mail addresses. */
export function foreignCallErrorText(error: unknown): string {
  if (!(error instanceof Error)) return 'an error that is none';
  const { code } = error as { code?: unknown };
  const name = [error.name, ...(typeof code === 'string' ? [code] : [])].join(' ');
  const message = error.message.replaceAll(SECRETS, '[secret]').replaceAll(ADDRESSES, '[address]');
  return `${name}: ${message}`.slice(0, LONGEST);
}
