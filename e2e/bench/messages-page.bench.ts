import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { ApiClient } from '../support/api-client.js';
import { conversationOf } from '../support/message-mix.js';
import { waitFor } from '../support/wait-for.js';
import { logIn, withChromium, withPulso } from './bench-browser.js';
import { openStream } from './bench-servers.js';

const STREAMS = Number(process.env.BENCH_STREAMS ?? 200);
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 200);
const LONG_THREAD = Number(process.env.BENCH_THREAD ?? 5_000);
const EVERY_MS = 100;
const SIGN_UPS_AT_ONCE = 4;
const ARRIVAL_TIMEOUT_MS = 10_000;
/** A thread that has grown by nothing in this time has all its messages. */
const SCROLL_TIMEOUT_MS = 3_000;
const WINDOW = { viewport: { width: 1280, height: 800 } };

/**
 * A page of messages in Chromium: the time from the answer to a sender until the text stands in the receiver's open page,
 * beside open streams of other users who write to each other; and how long the page is busy at a time while a long thread
 * is read back to its beginning. `BENCH_URL` names a running Pulso without rate limits, such as a cluster.
 */
export function runMessagesPageBench(root: string, port: number): Promise<object> {
  const measureAt = (url: string) => withChromium((browser) => measure(browser, url));
  const running = process.env.BENCH_URL;
  return running ? measureAt(running) : withPulso(root, port, 'none', measureAt);
}

async function measure(browser: Browser, url: string): Promise<object> {
  const prefix = `bench-${Date.now().toString(36)}`;
  const people = await signUpAll(
    url,
    Array.from({ length: STREAMS + 1 }, (_, index) => `${prefix}-${index}`),
  );
  const [sender, receiver, ...others] = people as [ApiClient, ApiClient, ...ApiClient[]];
  const context = await browser.newContext(WINDOW);
  await logIn(context, url, { email: `${prefix}-1@example.test`, password: 'correct horse' });
  const delivery = await measureDelivery(await context.newPage(), sender, receiver, others);
  const thread = await measureThread(await context.newPage(), sender, receiver);
  return { streams: STREAMS, delivery, thread };
}

async function signUpAll(url: string, usernames: readonly string[]): Promise<ApiClient[]> {
  const people: ApiClient[] = [];
  const waiting = usernames.entries();
  const work = async () => {
    for (const [index, name] of waiting) people[index] = await new ApiClient(url).signUp(name);
  };
  await Promise.all(Array.from({ length: SIGN_UPS_AT_ONCE }, work));
  return people;
}

/** Milliseconds from the answer to the text in the page. */
async function measureDelivery(page: Page, sender: ApiClient, receiver: ApiClient, others: ApiClient[]) {
  await send(sender, receiver, 'first');
  const streams = await Promise.all(
    [sender, ...others].map(({ url, accessToken }) => openStream(url, accessToken!)),
  );
  await page.addInitScript(NOTE_ARRIVALS);
  await page.goto(`${sender.url}/messages?with=${sender.userId}`);
  await page.getByText('first', { exact: true }).last().waitFor();

  const waits: number[] = [];
  for (let count = 0; count < MESSAGES; count += 1) {
    const began = performance.now();
    const text = `delivery-${count};`;
    const [one, other] = [others[count % others.length]!, others[(count + 1) % others.length]!];
    await Promise.all([send(sender, receiver, text), send(one, other, 'beside')]).then(
      async ([answeredAt]) => {
        waits.push((await arrivalOf(page, text)) - answeredAt);
      },
    );
    await delay(Math.max(0, EVERY_MS - (performance.now() - began)));
  }
  for (const stream of streams) stream.destroy();
  await page.close();
  waits.sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]!);
  return { messages: waits.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}

/** The time of the answer, in ms since the epoch. Repeated while a service has not heard of the users. */
async function send(from: ApiClient, to: ApiClient, content: string): Promise<number> {
  const { status } = await waitFor(
    () => from.post('/api/messages', { receiverId: to.userId, content }),
    (answer) => answer.status !== 503 && answer.status !== 404,
    { what: 'messaging that has heard of both', limit: ARRIVAL_TIMEOUT_MS },
  );
  if (status !== 201) throw new Error(`A message was answered with ${status}`);
  return Date.now();
}

const NOTE_ARRIVALS = `
  window.arrivals = {};
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes)
      for (const [text] of (node.textContent ?? '').matchAll(/delivery-\\d+;/g)) window.arrivals[text] ??= Date.now();
  }).observe(document, { childList: true, subtree: true });
`;

async function arrivalOf(page: Page, text: string): Promise<number> {
  const arrived = await waitFor(
    () => page.evaluate<number | undefined>(`window.arrivals[${JSON.stringify(text)}]`),
    (time) => time !== undefined,
    { what: `${text} in the page`, limit: ARRIVAL_TIMEOUT_MS },
  );
  return arrived!;
}

/** Tasks of 50 ms and more while the whole thread is scrolled through, in ms. */
async function measureThread(page: Page, sender: ApiClient, receiver: ApiClient) {
  const conversation = await sender.get<{ items: unknown[] }>(
    `/api/conversations/${conversationOf(sender.userId, receiver.userId)}/messages?limit=1`,
  );
  if (conversation.status !== 200) throw new Error(`The thread was answered with ${conversation.status}`);
  for (let left = LONG_THREAD; left > 0; left -= 2) {
    await Promise.all([
      send(sender, receiver, `Message ${left} of a long thread`),
      send(receiver, sender, `Answer ${left} to it`),
    ]);
  }
  await page.addInitScript(NOTE_LONG_TASKS);
  await page.goto(`${sender.url}/messages?with=${sender.userId}`);
  const scroller = page.getByRole('region', { name: /^Messages with/ });
  await scroller.waitFor();
  await page.locator('[data-message]').last().waitFor();
  await page.evaluate('window.longTasks.length = 0');
  await scroller.hover();
  const shown = () => page.locator('[data-message]').count();
  let [messages, grownAt] = [await shown(), performance.now()];
  while (performance.now() - grownAt < SCROLL_TIMEOUT_MS) {
    await page.mouse.wheel(0, -4_000);
    await delay(16);
    const now = await shown();
    if (now > messages) [messages, grownAt] = [now, performance.now()];
  }
  const loading = await longTasks(page);
  let position = -1;
  for (let now = await placeOf(page); now !== position; now = await placeOf(page)) {
    position = now;
    await page.mouse.wheel(0, 12_000);
    await delay(50);
  }
  const scrolling = await longTasks(page);
  await page.close();
  return { messages, loading, scrolling };
}

const placeOf = (page: Page) =>
  page.evaluate<number>(`document.querySelector('[role=region][tabindex]')?.scrollTop ?? 0`);

const NOTE_LONG_TASKS = `
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask' });
`;

async function longTasks(page: Page): Promise<{ count: number; longest: number }> {
  const tasks = await page.evaluate<number[]>('window.longTasks.splice(0)');
  return { count: tasks.length, longest: Math.round(Math.max(0, ...tasks)) };
}
