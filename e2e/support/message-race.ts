import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { ApiClient, type Page } from './api-client.js';
import { dice } from './dice.js';
import { type ApiMessage, conversationOf, threadOf } from './message-mix.js';
import { waitFor, waitForEqual } from './wait-for.js';
import { patiently, Unanswered } from './write-mix.js';

const CLIENTS_A_SIDE = 3;
const RETRY_MS = 50;
/** How long a call may stay unanswered, whatever was killed. */
const PATIENCE_MS = 180_000;
/** Ends a race that stands still: how long as many messages may take as there are between two kills. */
const STRETCH_MS = 1_800_000;

/** A message as its sender knows it; times are of this process. */
interface Sent {
  askedAt: number;
  answeredAt: number;
}

export interface RaceOptions {
  /** The URLs of the gateways, which may be others after a kill. */
  urls: () => readonly string[];
  /** How many messages both sides send together. */
  messages: number;
  /** Is called this many times, evenly over the messages, while both sides write and read. */
  kills: number;
  kill: () => Promise<void>;
}

export interface RaceResult {
  /** What is wrong; empty if nothing is. */
  wrong: string[];
  /** Calls that had to be repeated because something was down. */
  repeats: number;
  /** How many times the whole conversation was paged through during the race. */
  walks: number;
}

/**
 * Two users write to each other from several clients each, while both page through the conversation and mark it as read, and
 * processes are killed. Each client repeats a call under the same Idempotency-Key until it is answered.
 */
export async function raceMessages(
  [ada, ben]: readonly [ApiClient, ApiClient],
  { urls, messages, kills, kill }: RaceOptions,
): Promise<RaceResult> {
  const id = conversationOf(ada.userId, ben.userId);
  const sent = new Map<string, Sent>();
  const wrong: string[] = [];
  let [left, repeats, walks, writing] = [messages, 0, 0, true];
  onTestEnd(() => ([left, writing] = [0, false]));

  /** The same user at one of the gateways, however it is called after a kill. */
  const clientOf = ({ accessToken, userId }: ApiClient) => {
    const place = dice.below(urls().length);
    const client = Object.assign(new ApiClient(''), { accessToken, userId });
    return Object.defineProperty(client, 'url', { get: () => urls()[place] });
  };
  const call = <T>(client: ApiClient, ...[method, path, body, headers]: Parameters<ApiClient['call']>) => {
    const answer = async () => {
      try {
        return await patiently(client)<T>(method, path, body, headers);
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        repeats += 1;
        await delay(RETRY_MS);
        return undefined;
      }
    };
    return until(answer, { what: `an answer to ${method} ${path}`, limit: PATIENCE_MS });
  };

  const writes = async (sender: ApiClient, receiver: ApiClient, name: string) => {
    for (let count = 0; left > 0; count += 1) {
      left -= 1;
      const content = `${name}:${count}`;
      const askedAt = performance.now();
      const key = { 'idempotency-key': randomUUID() };
      const { status } = await call(
        sender,
        'POST',
        '/api/messages',
        { receiverId: receiver.userId, content },
        key,
      );
      if (status !== 201) wrong.push(`${content} was answered with ${status}`);
      sent.set(content, { askedAt, answeredAt: performance.now() });
    }
  };
  const walk = (reader: ApiClient) =>
    threadOf(
      (path) => call<Page<ApiMessage>>(reader, 'GET', path),
      id,
      () => 20 + dice.below(80),
    );
  const readsAlong = async (reader: ApiClient) => {
    // Before the first message there is no conversation to read.
    await until(() => !writing || sent.size > 0, { what: 'the first message', limit: PATIENCE_MS });
    while (writing) {
      const known = [...sent.keys()];
      const contents = (await walk(reader)).map(({ content }) => content);
      const seen = new Set(contents);
      walks += 1;
      if (seen.size < contents.length) wrong.push('a page repeated a message');
      const skipped = known.filter((content) => !seen.has(content));
      if (skipped.length > 0) wrong.push(`pages skipped ${skipped.join(', ')}`);
      if (dice.chance(0.3)) await call(reader, 'POST', `/api/conversations/${id}/read`);
      await call(reader, 'GET', '/api/badges');
    }
  };
  const killing = async () => {
    for (let done = 1; done <= kills; done += 1) {
      const wanted = (messages * done) / (kills + 1);
      await until(() => !writing || sent.size >= wanted, {
        what: () => `${wanted} messages, of which there were ${sent.size}`,
        limit: STRETCH_MS,
      });
      if (writing) await kill();
    }
  };

  for (const [one, other] of [
    [ada, ben],
    [ben, ada],
  ] as const) {
    const start = () => one.post('/api/conversations', { userId: other.userId });
    await waitFor(start, ({ status }) => status < 300, { what: 'messaging that has heard of both' });
  }

  const writers = Array.from({ length: CLIENTS_A_SIDE }, (_, index) => [
    writes(clientOf(ada), ben, `ada-${index}`),
    writes(clientOf(ben), ada, `ben-${index}`),
  ]).flat();
  const beside = [readsAlong(clientOf(ada)), readsAlong(clientOf(ben)), killing()];
  await Promise.all([Promise.all(writers).finally(() => (writing = false)), ...beside]);

  const [adaAtTheEnd, benAtTheEnd] = [clientOf(ada), clientOf(ben)];
  wrong.push(...differences(await walk(adaAtTheEnd), sent));
  const miscounted = async () => {
    const found: string[] = [];
    const threads = [await walk(adaAtTheEnd), await walk(benAtTheEnd)];
    const [thread = []] = threads;
    if (JSON.stringify(threads[0]) !== JSON.stringify(threads[1]))
      found.push('the two see different messages');
    for (const user of [adaAtTheEnd, benAtTheEnd]) {
      const recount = thread.filter(({ senderId, read }) => senderId !== user.userId && !read).length;
      const badges = (await user.get<{ messages: number }>('/api/badges')).body;
      const [conversation] = await user.all<{ unreadCount: number }>('/api/conversations');
      if (badges.messages !== recount) found.push(`a badge is ${badges.messages} and not ${recount}`);
      if (conversation?.unreadCount !== recount)
        found.push(`${conversation?.unreadCount} are unread and not ${recount}`);
    }
    return found;
  };
  // A gateway hears of a reading at another one by a signal, and a reading that was given up may still be carried out.
  await waitForEqual(miscounted, [], { what: 'what is counted wrongly' });
  return { wrong, repeats, walks };
}

/** Each message once; one that was acknowledged before another was sent stands before it, whoever sent them. */
function differences(thread: readonly ApiMessage[], sent: ReadonlyMap<string, Sent>): string[] {
  const contents = thread.map(({ content }) => content);
  const stored = new Set(contents);
  const lost = [...sent.keys()].filter((content) => !stored.has(content));
  const doubled = contents.length - stored.size;
  const wrong = [
    ...lost.map((content) => `${content} is lost`),
    ...(doubled > 0 ? [`${doubled} are doubled`] : []),
    ...contents.filter((content) => !sent.has(content)).map((content) => `${content} was never acknowledged`),
  ];
  let firstAnswerAfter = Infinity;
  for (const content of contents.reverse()) {
    const one = sent.get(content);
    if (!one) continue;
    if (firstAnswerAfter < one.askedAt)
      wrong.push(`${content} stands before one that was acknowledged earlier`);
    firstAnswerAfter = Math.min(firstAnswerAfter, one.answeredAt);
  }
  return wrong;
}
