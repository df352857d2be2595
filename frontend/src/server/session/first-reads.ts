import type { RefreshedSession } from '../../api/types.js';

/** A refresh reads so many at most (ACCT-39). */
const MOST = 2;

type Answers = ReadonlyMap<string, Response>;
const NONE: Answers = new Map();

/** What a page begins with, by the path that is read, until the session is known. */
const waiting = new Map<string, (answer: Response | undefined) => void>();
let over = true;
let came: { userId: string; answers: Answers } | undefined;

/** A page load begins whose session is to be restored. */
export function beginFirstReads(): void {
  over = false;
}

/**
 * Lets the refresh that restores the session read `path` as well: one round trip less. Resolves, once the session is known, to
 * what `GET path` has answered, and to undefined where that did not come with the refresh.
 */
export function readWithSession(path: string): Promise<Response | undefined> {
  if (over || waiting.size >= MOST || waiting.has(path)) return Promise.resolve(undefined);
  return new Promise((resolve) => waiting.set(path, resolve));
}

let asks: () => void;

/** Once the refresh goes out: it waits for the lock that the tabs share, whose answer would wait for code that runs meanwhile. */
export const refreshAsked = new Promise<void>((resolve) => (asks = resolve));

/** The query of the refresh, with its "?", which goes out now. */
export function firstQuery(): string {
  asks();
  const paths = [...waiting.keys()].map((path) => `first=${encodeURIComponent(path)}`);
  return paths.length > 0 ? `?${paths.join('&')}` : '';
}

/** The refresh has answered. */
export function keepFirstReads({ user, first = [] }: RefreshedSession): void {
  if (over) return;
  const answers = first.map(({ path, etag, body }) => {
    const headers = { 'content-type': 'application/json', ...(etag !== undefined && { etag }) };
    return [path, new Response(JSON.stringify(body), { headers })] as const;
  });
  came = { userId: user.id, answers: new Map(answers) };
}

/**
 * The session is known: calls go out on their own from now on. `viewer` is its user; another tab may have brought another one
 * than what came with the refresh is for.
 */
export function endFirstReads(viewer: string | undefined): void {
  over = true;
  asks();
  const answers = came && came.userId === viewer ? came.answers : NONE;
  for (const [path, resolve] of waiting) resolve(answers.get(path));
  waiting.clear();
  came = undefined;
}
