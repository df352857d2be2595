import { StartError } from './start-error.js';

/** Up to the last `@` of all: a password may hold `@`, `/`, `?` and `#` that nobody has escaped. */
const USER_INFO = /^([a-z][a-z\d+.-]*:\/\/)?(.*)@/is;
/** A colon with something else than a port behind it: of a user's password whose `@` and host are missing. */
const HOSTLESS = /^[^/?#]*?:(?!\d+(?:[/,?#]|$))(.*)$/s;
const IPV6 = /\[[\da-f:.]*\]/gi;
/** What has its end, to a driver: pieces of a password come into its messages alone. */
const CUTS = /[/?#@:&=,\s]+/;
/** A shorter piece would blot out a reason's own words. */
const SHORTEST_PIECE = 3;
/** Up to the URL's end, for the same reason. */
const SECRET_OPTION = /[?&][^=&]*(?:pass|secret|token|key|properties)[^=&]*=(.*)$/is;

/**
 * An engine's URL as it may be shown: without password and without options, which may hold secrets too. For lists of
 * hosts as well, which are no URLs to `new URL`. Where it cannot be told what is the password, its scheme alone.
 */
export function redactUrl(url: string): string {
  const [shown, scheme = '', user = ''] = USER_INFO.exec(url) ?? [''];
  const place = url.slice(shown.length).replace(/[?#].*$/s, '');
  if (shown === '') return hostlessPassword(url) === undefined ? place : `${schemeOf(url)}***`;
  if (/[/?#]/.test(user)) return `${scheme}***`;
  return `${scheme}${user.includes(':') ? `${user.split(':')[0]}:***` : user}@${place}`;
}

/**
 * Runs what needs an engine for the first time. A failure becomes the one line that names the setting, where it points
 * to, and what the engine or the network said; a StartError stays as it is.
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

/** Drivers leave the message empty where they have tried several addresses, and put the reason into a cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error.message || (error as NodeJS.ErrnoException).code || reasonOf(error.cause ?? error.name);
  return text.split('\n')[0]!;
}

/** What a driver said, without the URL's secrets as they were written, unescaped, and cut as a URL is. */
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

/** As it is where a `%` begins no escape: this must not fail on what has failed already. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
