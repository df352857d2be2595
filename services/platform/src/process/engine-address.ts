import { StartError } from './start-error.js';

/** Matches up to the very last `@`: a password may contain unescaped `@`, `/`, `?` and `#`. */
const USER_INFO = /^([a-z][a-z\d+.-]*:\/\/)?(.*)@/is;
/** A colon that is not followed by a port: it comes before a password whose `@` and host are missing. */
const HOSTLESS = /^[^/?#]*?:(?!\d+(?:[/,?#]|$))(.*)$/s;
const IPV6 = /\[[\da-f:.]*\]/gi;
/** Characters at which drivers cut a URL: their messages may contain single pieces of a password. */
const CUTS = /[/?#@:&=,\s]+/;
/** Redacting shorter pieces would also hide ordinary words of a message. */
const SHORTEST_PIECE = 3;
/** Matches up to the URL's end: a value may contain unescaped separators. */
const SECRET_OPTION = /[?&][^=&]*(?:pass|secret|token|key|properties)[^=&]*=(.*)$/is;

/**
 * An engine's URL for display: without its password and its options, which may hold secrets too. It also handles lists of
 * hosts, which `new URL` rejects. If the password cannot be identified, shows only the scheme.
 */
export function redactUrl(url: string): string {
  const [shown, scheme = '', user = ''] = USER_INFO.exec(url) ?? [''];
  const place = url.slice(shown.length).replace(/[?#].*$/s, '');
  if (shown === '') return hostlessPassword(url) === undefined ? place : `${schemeOf(url)}***`;
  if (/[/?#]/.test(user)) return `${scheme}***`;
  return `${scheme}${user.includes(':') ? `${user.split(':')[0]}:***` : user}@${place}`;
}

/**
 * Runs the first connection to an engine. A failure becomes a StartError of one line with the setting, its address, and
 * the error of the engine or the network; a StartError is rethrown unchanged.
 */
export async function connectOrExplain<T>(
  setting: string,
  url: string,
  connect: () => Promise<T>,
): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = withoutSecrets(reasonOf(error), url);
    throw new StartError(`${setting}: ${redactUrl(url)} cannot be used: ${reason}`, { cause: error });
  }
}

/** If drivers have tried several addresses, they leave the message empty and put the reason into a cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error.message || (error as NodeJS.ErrnoException).code || reasonOf(error.cause ?? error.name);
  return text.split('\n')[0]!;
}

/** A driver's message without the URL's secrets, in all forms: as written, unescaped, and cut into pieces. */
function withoutSecrets(said: string, url: string): string {
  const secrets = secretsOf(url).flatMap((secret) => [secret, unescaped(secret)]);
  const pieces = secrets.flatMap((secret) => secret.split(CUTS));
  const hidden = [...secrets, ...pieces.filter((piece) => piece.length >= SHORTEST_PIECE)];
  return hidden
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '***'), said.replaceAll(url, redactUrl(url)));
}

function secretsOf(url: string): string[] {
  const user = USER_INFO.exec(url)?.[2] ?? '';
  const password = user.includes(':') || /[/?#]/.test(user) ? user.slice(user.indexOf(':') + 1) : '';
  return [password, hostlessPassword(url) ?? '', SECRET_OPTION.exec(url)?.[1] ?? ''];
}

function hostlessPassword(url: string): string | undefined {
  if (USER_INFO.test(url)) return undefined;
  return HOSTLESS.exec(url.slice(schemeOf(url).length).replaceAll(IPV6, ''))?.[1];
}

const schemeOf = (url: string) => /^[a-z][a-z\d+.-]*:\/\//i.exec(url)?.[0] ?? '';

/** Returns the text unchanged if a `%` does not begin an escape: error handling must not fail. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
