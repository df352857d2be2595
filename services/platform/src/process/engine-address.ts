import { StartError } from './start-error.js';

/** Up to the last `@`, as URLs are read: a password may hold one that nobody has escaped. */
const USER_INFO = /(?<=:\/\/)([^/?#]*)@/;

/**
 * An engine's URL as it may be shown: without password and without options, which may hold secrets too. For lists of
 * hosts as well, which are no URLs to `new URL`.
 */
export function redactUrl(url: string): string {
  return url
    .replace(/[?#].*$/s, '')
    .replace(USER_INFO, (_match, user: string) =>
      user.includes(':') ? `${user.split(':')[0]}:***@` : `${user}@`,
    );
}

/**
 * Runs what needs an engine for the first time. A failure becomes the one line that names the setting, where it points
 * to, and what the engine or the network said; a StartError stays as it is.
 */
export async function reaching<T>(setting: string, url: string, connect: () => Promise<T>): Promise<T> {
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

function withoutSecrets(said: string, url: string): string {
  const text = said.replaceAll(url, redactUrl(url));
  const userInfo = USER_INFO.exec(url)?.[1];
  const password = userInfo?.includes(':') ? userInfo.slice(userInfo.indexOf(':') + 1) : '';
  if (password === '') return text;
  return [password, unescaped(password)].reduce((kept, secret) => kept.replaceAll(secret, '***'), text);
}

/** As it is where a `%` begins no escape: this must not fail on what has failed already. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
