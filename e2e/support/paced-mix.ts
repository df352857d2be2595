import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from './api-client.js';
import {
  type Ledger,
  type Send,
  type Writer,
  Unanswered,
  followOnce,
  patiently,
  remove,
  renameOnce,
  writeOnce,
} from './write-mix.js';

export interface PacedMixOptions {
  url: string;
  /** Users who have signed up. More writers than the rate needs, as each waits for its answers. */
  names: readonly string[];
  ledger: Ledger;
  /** Writes a second, by all writers together. */
  rate: number;
  /** From so many posts on the oldest are deleted, and forgotten by the ledger, so that the data stops growing. */
  posts: number;
}

export interface PacedMixResult {
  writes: number;
  /** Writes without an answer, or answered with 5xx. */
  unanswered: string[];
  /** Acknowledged writes a second. */
  rate: number;
}

/** A mix of writes at a steady rate: 7 of 10 to posts, 2 to social, 1 to identity. Any refused write ends it. */
export async function runPacedMix(options: PacedMixOptions, seconds: number): Promise<PacedMixResult> {
  const { url, names, ledger, rate, posts } = options;
  const clients: ApiClient[] = [];
  // One after the other: hashing passwords takes long, and their tokens shall not end at the same moment.
  for (const name of names) clients.push(await new ApiClient(url).logIn(name));
  const people = new Map(clients.map((client, index) => [names[index]!, client.userId]));
  const unanswered: string[] = [];
  const startedAt = performance.now();
  let slots = 0;
  let writes = 0;
  let failed = false;

  const writeAll = async (client: ApiClient, index: number) => {
    const name = names[index]!;
    // A client per service: a write that has to wait for an event must not delay writes that need none.
    const writer = (): Writer => {
      const send = renewing(client, name, new ApiClient(url));
      return { name, send, ledger, repeats: () => false };
    };
    const [author, follower, person] = [writer(), writer(), writer()];
    for (;;) {
      const slot = slots++;
      const due = startedAt + (slot * 1000) / rate;
      if (failed || slot >= rate * seconds) return;
      await untilDue(due);
      try {
        if (slot % 10 < 7) await writeBounded(author, slot, posts);
        else if (slot % 10 < 9) await followOnce(follower, people);
        else await renameOnce(person);
        writes += 1;
      } catch (error) {
        failed ||= !(error instanceof Unanswered);
        if (failed) throw error;
        unanswered.push((error as Error).message);
      }
    }
  };
  await Promise.all(clients.map(writeAll));
  return { writes, unanswered, rate: (writes * 1000) / (performance.now() - startedAt) };
}

/** Resolves at a time of `performance.now()`. */
export const untilDue = (time: number) => delay(Math.max(0, time - performance.now()));

/** Sends by `own` as the user of `client`, who signs in again when the access token has ended. */
export function renewing(client: ApiClient, name: string, own: ApiClient, send = patiently(own)): Send {
  return async (...request) => {
    own.accessToken = client.accessToken;
    const answer = await send<never>(...request);
    if (answer.status !== 401) return answer;
    await client.logIn(name).catch((error: unknown) => {
      throw new Unanswered(`Login of ${name}`, { cause: error });
    });
    own.accessToken = client.accessToken;
    return send<never>(...request);
  };
}

/** `writeOnce` until there are `posts`; from then on the author's oldest post is deleted, and forgotten, while they have one. */
export async function writeBounded(writer: Writer, count: number, posts: number): Promise<void> {
  const { ledger, name } = writer;
  const isOwn = ([id, { author }]: [string, { author: string }]) =>
    author === name && !ledger.deletionsAsked.has(id);
  const oldest = ledger.posts.size < posts ? undefined : [...ledger.posts].find(isOwn);
  if (!oldest) return writeOnce(writer, count);
  await remove(writer, oldest[0]);
  forget(ledger, oldest[0]);
}

/** Removes a deleted post and all that belongs to it. */
function forget(ledger: Ledger, postId: string): void {
  for (const known of [ledger.posts, ledger.edits, ledger.commentsAsked]) known.delete(postId);
  for (const asked of [ledger.deleted, ledger.deletionsAsked]) asked.delete(postId);
  for (const key of ledger.likes.keys()) if (key.startsWith(postId)) ledger.likes.delete(key);
  for (const [id, comment] of ledger.comments) if (comment.postId === postId) ledger.comments.delete(id);
}
