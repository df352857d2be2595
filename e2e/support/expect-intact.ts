import { ApiClient, type ApiPost } from './api-client.js';
import { oracleFeed } from './feed-oracle.js';
import { expectMessages } from './message-mix.js';
import type { Ledger } from './write-mix.js';

/**
 * Compares the stored data with the responses that the writers got. An unanswered write may be stored or not. Others may use the
 * same Pulso, if they leave the writers and their posts alone.
 */
export async function expectIntact(url: string, names: string[], ledger: Ledger): Promise<void> {
  const clients = new Map<string, ApiClient>();
  for (const name of names) clients.set(name, await new ApiClient(url).logIn(name));
  const reader = clients.get(names[0]!)!;
  const ofWriters = ({ author }: ApiPost) => names.includes(author.username);
  const feed = (await reader.all<ApiPost>('/api/feed', 100)).filter(ofWriters);
  const byId = new Map(feed.map((post) => [post.id, post]));
  expect(byId.size).toBe(feed.length);
  expect(new Set(feed.map(({ content }) => content)).size).toBe(feed.length);

  for (const [id, { content }] of ledger.posts) {
    if (ledger.deleted.has(id)) expect(byId.has(id)).toBe(false);
    if (ledger.deletionsAsked.has(id)) continue;
    const post = byId.get(id);
    expect(post).toBeDefined();
    expect([content, ...(ledger.edits.get(id) ?? [])]).toContain(post!.content);
  }
  await expectPeople(clients, ledger, feed);
  const following = [...ledger.follows].flatMap(([key, active]) => {
    const [follower, target] = key.split(' ');
    return active && follower === names[0] ? [clients.get(target!)!.userId] : [];
  });
  const relations = { viewerId: reader.userId, following: new Set(following), blocked: new Set<string>() };
  expect(feed.map(({ id }) => id)).toEqual(oracleFeed(feed, relations));
  await expectLikes(clients, ledger, byId);
  for (const post of feed) await expectCounts(reader, names, ledger, post);
  await expectMessages(clients, ledger);
}

async function expectPeople(clients: Map<string, ApiClient>, ledger: Ledger, feed: ApiPost[]): Promise<void> {
  for (const [key, active] of ledger.follows) {
    const [follower, target] = key.split(' ');
    const { body } = await clients
      .get(follower!)!
      .get<{ viewer: { following: boolean } }>(`/api/users/${clients.get(target!)!.userId}`);
    if (active === undefined) ledger.follows.set(key, body.viewer.following);
    else expect({ key, active: body.viewer.following }).toEqual({ key, active });
  }
  for (const [username, names] of ledger.names) {
    const { body } = await clients.get(username)!.get<{ name: string }>('/api/me');
    expect([...names]).toContain(body.name);
    ledger.names.set(username, new Set([body.name]));
    // The projections show the same as the owner.
    const shown = feed.filter(({ author }) => author.username === username).map(({ author }) => author.name);
    expect(new Set([...shown, body.name])).toEqual(new Set([body.name]));
  }
}

async function expectLikes(
  clients: Map<string, ApiClient>,
  ledger: Ledger,
  byId: ReadonlyMap<string, ApiPost>,
): Promise<void> {
  const certain = [...ledger.likes].filter(([key]) => byId.has(key.split(' ')[0]!));
  for (const [name, client] of clients) {
    const posts = await client.all<ApiPost>('/api/feed', 100);
    const seen = new Map(posts.map((post) => [post.id, post.likedByViewer]));
    for (const [key, liked] of certain) {
      const [postId, liker] = key.split(' ');
      if (liker !== name) continue;
      if (liked === undefined) ledger.likes.set(key, seen.get(postId!));
      else expect({ key, liked: seen.get(postId!) }).toEqual({ key, liked });
    }
  }
}

async function expectCounts(
  reader: ApiClient,
  names: string[],
  ledger: Ledger,
  post: ApiPost,
): Promise<void> {
  const likers = names.filter((name) => ledger.likes.get(`${post.id} ${name}`) === true).length;
  expect({ id: post.id, likes: post.likeCount }).toEqual({ id: post.id, likes: likers });
  const comments = await reader.all<{ id: string; content: string }>(`/api/posts/${post.id}/comments`, 100);
  expect({ id: post.id, count: post.commentCount }).toEqual({ id: post.id, count: comments.length });
  expect(new Set(comments.map(({ content }) => content)).size).toBe(comments.length);
  expect(comments.length).toBeLessThanOrEqual(ledger.commentsAsked.get(post.id) ?? 0);
  const ids = new Set(comments.map(({ id }) => id));
  for (const [id, { postId }] of ledger.comments) if (postId === post.id) expect(ids.has(id)).toBe(true);
}
