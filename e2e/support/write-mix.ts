import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, ApiClient, ApiPost } from './api-client.js';
import { dice } from './dice.js';

/** Thrown when it is unknown whether the write happened. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/**
 * Sends a request. Throws Unanswered when the mix should continue without a response; any other error ends the mix.
 */
export type Send = <T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<T>>;

/** The acknowledged writes, and the unanswered ones, which may or may not have happened. */
export interface Ledger {
  posts: Map<string, { author: string; content: string }>;
  deleted: Set<string>;
  deletionsAsked: Set<string>;
  /** By post: edits requested since the last acknowledged one. */
  edits: Map<string, Set<string>>;
  /** `${postId} ${username}` → the last acknowledged state; undefined after an unanswered change. */
  likes: Map<string, boolean | undefined>;
  comments: Map<string, { postId: string; content: string }>;
  commentsAsked: Map<string, number>;
  /** `${sender} ${receiver}` by username → the texts of their messages, in the order of acknowledgement. */
  messages: Map<string, string[]>;
  messagesAsked: Set<string>;
  /** `${follower} ${target}` by username, as `likes`. */
  follows: Map<string, boolean | undefined>;
  /** By username: the names the user may have now. */
  names: Map<string, Set<string>>;
}

export const newLedger = (): Ledger => ({
  posts: new Map(),
  deleted: new Set(),
  deletionsAsked: new Set(),
  edits: new Map(),
  likes: new Map(),
  comments: new Map(),
  commentsAsked: new Map(),
  messages: new Map(),
  messagesAsked: new Set(),
  follows: new Map(),
  names: new Map(),
});

/** Sends requests directly: the caller gets every error of fetch and every status. */
export const plainly =
  (client: ApiClient): Send =>
  (method, path, body, headers) =>
    client.call(method, path, body, headers);

/** Like a client of a product whose parts fail and recover: no response and a 5xx are Unanswered. */
export const patiently =
  (client: ApiClient): Send =>
  async (method, path, body, headers) => {
    const answer = await client.call<never>(method, path, body, headers).catch((error: unknown) => {
      throw new Unanswered(`${method} ${path}`, { cause: error });
    });
    if (answer.status >= 500) throw new Unanswered(`${method} ${path}: ${answer.status}`);
    return answer;
  };

export interface Writer {
  name: string;
  send: Send;
  ledger: Ledger;
  /** Whether an unanswered creation should be repeated under its key; false once the mix is over. */
  repeats(): boolean;
}

/** One random write: a post, a like or its removal, a comment, or an edit or a deletion of an own post. */
export async function writeOnce(writer: Writer, count: number): Promise<void> {
  const { ledger } = writer;
  const alive = [...ledger.posts.keys()].filter((id) => !ledger.deletionsAsked.has(id));
  const target = alive[dice.below(alive.length)];
  const choice = target === undefined ? 0 : dice.below(10);
  if (target === undefined || choice <= 2) return publish(writer, count);
  if (choice <= 5) return likeOrNot(writer, target);
  if (choice <= 7) return comment(writer, target, count);
  if (ledger.posts.get(target)?.author !== writer.name) return;
  return choice === 8 ? edit(writer, target, count) : remove(writer, target);
}

async function publish(writer: Writer, count: number): Promise<void> {
  const content = `${writer.name} ${Date.now()} ${count}`;
  const answer = await create<ApiPost>(writer, '/api/posts', { content });
  if (!answer) return;
  expect(answer.status).toBe(201);
  writer.ledger.posts.set(answer.body.id, { author: writer.name, content });
}

async function likeOrNot({ name, send, ledger }: Writer, target: string): Promise<void> {
  const key = `${target} ${name}`;
  // The unanswered request may still be in progress and be executed after the next one.
  if (ledger.likes.has(key) && ledger.likes.get(key) === undefined) return;
  const liked = ledger.likes.get(key) !== true;
  ledger.likes.set(key, undefined);
  const answer = await send(liked ? 'PUT' : 'DELETE', `/api/posts/${target}/like`);
  if (answer.status !== 404) expect(answer.status).toBe(200);
  ledger.likes.set(key, liked);
}

async function comment(writer: Writer, target: string, count: number): Promise<void> {
  const { name, ledger } = writer;
  const content = `comment by ${name} ${Date.now()} ${count}`;
  ledger.commentsAsked.set(target, (ledger.commentsAsked.get(target) ?? 0) + 1);
  const answer = await create<{ id: string }>(writer, `/api/posts/${target}/comments`, { content });
  if (!answer || answer.status === 404) return;
  expect(answer.status).toBe(201);
  ledger.comments.set(answer.body.id, { postId: target, content });
}

async function edit({ name, send, ledger }: Writer, target: string, count: number): Promise<void> {
  if ((ledger.edits.get(target)?.size ?? 0) > 0) return;
  const content = `edited by ${name} ${Date.now()} ${count}`;
  ledger.edits.set(target, new Set([content]));
  const answer = await send('PATCH', `/api/posts/${target}`, { content });
  expect(answer.status).toBe(200);
  ledger.posts.set(target, { author: name, content });
  ledger.edits.set(target, new Set());
}

/** Deletes an own post. */
export async function remove({ send, ledger }: Writer, target: string): Promise<void> {
  ledger.deletionsAsked.add(target);
  const answer = await send('DELETE', `/api/posts/${target}`);
  expect(answer.status).toBe(204);
  ledger.deleted.add(target);
}

/** Follows or unfollows one of the others at random. `people` are ids by username. */
export async function followOnce(
  { name, send, ledger }: Writer,
  people: ReadonlyMap<string, string>,
): Promise<void> {
  const others = [...people].filter(([other]) => other !== name);
  const [target, id] = dice.pick(others);
  const key = `${name} ${target}`;
  if (ledger.follows.has(key) && ledger.follows.get(key) === undefined) return;
  const active = ledger.follows.get(key) !== true;
  ledger.follows.set(key, undefined);
  expect((await send(active ? 'PUT' : 'DELETE', `/api/users/${id}/follow`)).status).toBe(200);
  ledger.follows.set(key, active);
}

/** Changes the user's name. */
export async function renameOnce({ name, send, ledger }: Writer): Promise<void> {
  const names = ledger.names.get(name) ?? new Set([name]);
  if (names.size > 1) return;
  const next = `${name} ${Date.now()}`;
  ledger.names.set(name, names.add(next));
  expect((await send('PATCH', '/api/me', { name: next })).status).toBe(200);
  ledger.names.set(name, new Set([next]));
}

/** Repeats a creation under its key until it gets a response; undefined when the mix has ended before. */
export async function create<T>(
  { send, repeats }: Writer,
  path: string,
  body: unknown,
): Promise<Answer<T> | undefined> {
  const headers = { 'idempotency-key': randomUUID() };
  for (;;) {
    try {
      return await send<T>('POST', path, body, headers);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      if (!repeats()) return undefined;
      await delay(50);
    }
  }
}
