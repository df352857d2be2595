import type { Answer, ApiClient, Page } from './api-client.js';
import { dice } from './dice.js';
import { waitForEqual } from './wait-for.js';
import { create, type Ledger, type Writer } from './write-mix.js';

export interface ApiMessage {
  id: string;
  senderId: string;
  content: string;
  read: boolean;
}

interface ApiConversation {
  id: string;
  otherUser: { id: string };
  lastMessage: { content: string } | null;
  unreadCount: number;
}

export const conversationOf = (one: string, other: string) => [one, other].sort().join('_');

/** Sends a message to one of the others, or reads what they have sent. `people` are ids by username. */
export async function messageOnce(
  writer: Writer,
  people: ReadonlyMap<string, string>,
  count: number,
): Promise<void> {
  const { name, send, ledger } = writer;
  const [target, receiverId] = dice.pick([...people].filter(([other]) => other !== name));
  if (dice.chance(0.2)) {
    const conversation = conversationOf(people.get(name)!, receiverId);
    const { status } = await send('POST', `/api/conversations/${conversation}/read`);
    expect([204, 404]).toContain(status);
    return;
  }
  const content = `${name} to ${target} ${Date.now()} ${count}`;
  ledger.messagesAsked.add(content);
  const answer = await create(writer, '/api/messages', { receiverId, content });
  if (!answer) return;
  expect(answer.status).toBe(201);
  const key = `${name} ${target}`;
  ledger.messages.set(key, [...(ledger.messages.get(key) ?? []), content]);
}

/** Compares all conversations with what the writers were answered, and the counts with a recount. */
export async function expectMessages(clients: ReadonlyMap<string, ApiClient>, ledger: Ledger): Promise<void> {
  // A message that a crash has left half shown is completed at the next start, or by the repair that runs every 5 s.
  await waitForEqual(() => wrongConversations([...clients], ledger), [], {
    what: 'what is wrong with the conversations',
  });
}

async function wrongConversations(clients: [string, ApiClient][], ledger: Ledger): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, client] of clients) {
    const conversations = await client.all<ApiConversation>('/api/conversations', 100);
    let unread = 0;
    for (const { id, otherUser, lastMessage, unreadCount } of conversations) {
      const [otherName, other] = clients.find(([, { userId }]) => userId === otherUser.id)!;
      const messages = await threadOf(client.get, id);
      const check = (what: string, holds: boolean) => {
        if (!holds) wrong.push(`${what}, as ${name} sees the messages with ${otherName}`);
      };
      const contents = messages.map(({ content }) => content);
      check('one is doubled', new Set(contents).size === contents.length);
      check(
        'one was never sent',
        contents.every((content) => ledger.messagesAsked.has(content)),
      );
      for (const key of [`${name} ${otherName}`, `${otherName} ${name}`]) {
        const acknowledged = ledger.messages.get(key) ?? [];
        const kept = new Set(acknowledged);
        const stored = contents.filter((content) => kept.has(content));
        check('one is lost, or the order is wrong', JSON.stringify(stored) === JSON.stringify(acknowledged));
      }
      const theirs = await threadOf(other.get, id);
      check('the other sees others', JSON.stringify(theirs) === JSON.stringify(messages));
      check('the last one is not the last', lastMessage?.content === contents.at(-1));
      const recount = messages.filter(({ senderId, read }) => senderId === otherUser.id && !read).length;
      check(`${unreadCount} are unread and not ${recount}`, unreadCount === recount);
      unread += recount;
    }
    const badges = (await client.get<{ messages: number }>('/api/badges')).body;
    if (badges.messages !== unread) wrong.push(`${name}'s badge is ${badges.messages} and not ${unread}`);
    const known = new Set(conversations.map(({ otherUser }) => otherUser.id));
    for (const [otherName, { userId }] of clients) {
      if (ledger.messages.has(`${name} ${otherName}`) && !known.has(userId)) {
        wrong.push(`${name} does not see the conversation with ${otherName}`);
      }
    }
  }
  return wrong;
}

/** All messages of a conversation, oldest first: the pages lead to older ones, and each ascends. */
export async function threadOf(
  get: (path: string) => Promise<Answer<Page<ApiMessage>>>,
  id: string,
  pageSize = () => 100,
): Promise<ApiMessage[]> {
  const messages: ApiMessage[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `limit=${pageSize()}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer: Answer<Page<ApiMessage>> = await get(`/api/conversations/${id}/messages?${query}`);
    if (answer.status !== 200) throw new Error(`messages of ${id}: ${JSON.stringify(answer.body)}`);
    messages.unshift(...answer.body.items);
    cursor = answer.body.nextCursor;
  }
  return messages;
}
