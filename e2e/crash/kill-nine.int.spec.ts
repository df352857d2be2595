import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type ApiPost } from '../support/api-client.js';
import { type PulsoProcess, startPulsoProcess } from '../support/pulso-process.js';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const WRITERS = 4;

/** What clients were told, and what they asked for without hearing back: the latter may or may not have happened. */
interface Ledger {
  posts: Map<string, { author: string; content: string }>;
  deleted: Set<string>;
  deletionsAsked: Set<string>;
  edits: Map<string, Set<string>>;
  /** `${postId} ${username}` → the last state acknowledged; undefined once a change went unanswered. */
  likes: Map<string, boolean | undefined>;
  comments: Map<string, { postId: string; content: string }>;
  commentsAsked: Map<string, number>;
}

describe('kill -9 of the whole process tree under a mix of writes', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-crash-'));
  const ledger: Ledger = {
    posts: new Map(),
    deleted: new Set(),
    deletionsAsked: new Set(),
    edits: new Map(),
    likes: new Map(),
    comments: new Map(),
    commentsAsked: new Map(),
  };
  let running: PulsoProcess | undefined;

  afterAll(async () => {
    await running?.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  it(
    `loses nothing acknowledged and doubles nothing in ${ROUNDS} rounds`,
    async () => {
      let pulso = await startPulsoProcess({ dataDirectory });
      running = pulso;
      const names = Array.from({ length: WRITERS }, (_, index) => `writer-${index}`);
      for (const name of names) await new ApiClient(pulso.url).signUp(name);

      for (let round = 0; round < ROUNDS; round += 1) {
        const clients = await Promise.all(names.map((name) => new ApiClient(pulso.url).logIn(name)));
        const ending = { now: false };
        const writing = clients.map((client, index) => writeUntil(ending, client, names[index]!, ledger));
        await new Promise((resolve) => setTimeout(resolve, randomInt(50, 1_000)));
        await pulso.killTree();
        ending.now = true;
        await Promise.all(writing);
        pulso = await startPulsoProcess({ dataDirectory });
        running = pulso;
        await expectIntact(pulso, names, ledger);
      }
      expect(ledger.posts.size).toBeGreaterThan(ROUNDS);
      expect(ledger.comments.size).toBeGreaterThan(0);
    },
    60_000 + ROUNDS * 30_000,
  );
});

/** Writes at random until the server dies; a request that fails for another reason fails the test. */
async function writeUntil(
  ending: { now: boolean },
  client: ApiClient,
  name: string,
  ledger: Ledger,
): Promise<void> {
  for (let count = 0; !ending.now; count += 1) {
    try {
      await writeOnce(client, name, count, ledger);
    } catch (error) {
      // What fetch throws comes from another realm than the suite's own TypeError.
      if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return;
      throw error;
    }
  }
}

async function writeOnce(client: ApiClient, name: string, count: number, ledger: Ledger): Promise<void> {
  const alive = [...ledger.posts.keys()].filter((id) => !ledger.deletionsAsked.has(id));
  const target = alive[randomInt(0, Math.max(1, alive.length))];
  const choice = target === undefined ? 0 : randomInt(0, 10);
  if (target === undefined || choice <= 2) {
    const content = `${name} ${Date.now()} ${count}`;
    const answer = await client.post<ApiPost>('/api/posts', { content });
    expect(answer.status).toBe(201);
    ledger.posts.set(answer.body.id, { author: name, content });
  } else if (choice <= 5) {
    const key = `${target} ${name}`;
    const liked = ledger.likes.get(key) === true ? false : true;
    ledger.likes.set(key, undefined);
    const answer = await (liked
      ? client.put(`/api/posts/${target}/like`)
      : client.delete(`/api/posts/${target}/like`));
    if (answer.status !== 404) expect(answer.status).toBe(200);
    ledger.likes.set(key, liked);
  } else if (choice <= 7) {
    const content = `comment by ${name} ${Date.now()} ${count}`;
    ledger.commentsAsked.set(target, (ledger.commentsAsked.get(target) ?? 0) + 1);
    const answer = await client.post<{ id: string }>(`/api/posts/${target}/comments`, { content });
    if (answer.status === 404) return;
    expect(answer.status).toBe(201);
    ledger.comments.set(answer.body.id, { postId: target, content });
  } else if (choice === 8 && ledger.posts.get(target)?.author === name) {
    const content = `edited ${Date.now()} ${count}`;
    ledger.edits.set(target, (ledger.edits.get(target) ?? new Set()).add(content));
    const answer = await client.patch<ApiPost>(`/api/posts/${target}`, { content });
    expect(answer.status).toBe(200);
    ledger.posts.set(target, { author: name, content });
    ledger.edits.set(target, new Set());
  } else if (choice === 9 && ledger.posts.get(target)?.author === name) {
    ledger.deletionsAsked.add(target);
    const answer = await client.delete(`/api/posts/${target}`);
    expect(answer.status).toBe(204);
    ledger.deleted.add(target);
  }
}

async function expectIntact(pulso: PulsoProcess, names: string[], ledger: Ledger): Promise<void> {
  const reader = await new ApiClient(pulso.url).logIn(names[0]!);
  const feed = await reader.all<ApiPost>('/api/feed', 100);
  const byId = new Map(feed.map((post) => [post.id, post]));
  expect(byId.size).toBe(feed.length);

  for (const [id, { content }] of ledger.posts) {
    if (ledger.deleted.has(id)) expect(byId.has(id)).toBe(false);
    if (ledger.deletionsAsked.has(id)) continue;
    const post = byId.get(id);
    expect(post).toBeDefined();
    expect([content, ...(ledger.edits.get(id) ?? [])]).toContain(post!.content);
  }
  expect(feed.map(({ id }) => id)).toEqual(ranked(feed, reader.userId, Date.now()).map(({ id }) => id));

  const certain = [...ledger.likes].filter(([key]) => byId.has(key.split(' ')[0]!));
  for (const name of names) {
    const client = await new ApiClient(pulso.url).logIn(name);
    const seen = new Map(
      (await client.all<ApiPost>('/api/feed', 100)).map((post) => [post.id, post.likedByViewer]),
    );
    for (const [key, liked] of certain) {
      const [postId, liker] = key.split(' ');
      if (liker !== name) continue;
      if (liked === undefined) ledger.likes.set(key, seen.get(postId!));
      else expect({ key, liked: seen.get(postId!) }).toEqual({ key, liked });
    }
  }
  for (const post of feed) {
    const likers = names.filter((name) => ledger.likes.get(`${post.id} ${name}`) === true).length;
    expect({ id: post.id, likes: post.likeCount }).toEqual({ id: post.id, likes: likers });
    const comments = await reader.all<{ id: string; content: string }>(`/api/posts/${post.id}/comments`, 100);
    expect({ id: post.id, count: post.commentCount }).toEqual({ id: post.id, count: comments.length });
    expect(new Set(comments.map(({ content }) => content)).size).toBe(comments.length);
    expect(comments.length).toBeLessThanOrEqual(ledger.commentsAsked.get(post.id) ?? 0);
    const ids = new Set(comments.map(({ id }) => id));
    for (const [id, { postId }] of ledger.comments) if (postId === post.id) expect(ids.has(id)).toBe(true);
  }
}

/** Section 9 on public posts of people nobody follows: one's own first by bonus, then by time, then by id. */
function ranked(posts: ApiPost[], viewerId: string, now: number): ApiPost[] {
  const score = (post: ApiPost) =>
    (post.author.id === viewerId ? 1500 * 3_600_000 : 0) +
    Math.min(3_600_000_000, Math.max(0, 3_600_000_000 - (now - Date.parse(post.createdAt))));
  return [...posts].sort(
    (a, b) =>
      score(b) - score(a) || Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1),
  );
}
