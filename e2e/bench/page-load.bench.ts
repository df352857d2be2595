import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { logIn, withChromium, withPulso } from './bench-browser.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** What is shown later than this after the last request does not count. */
const QUIET_MS = 1_500;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** "Slow 4G" of Chromium's developer tools, and a processor four times slower than this one. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const SLOWDOWN = 4;

interface Load {
  /** Largest contentful paint, in ms. */
  lcp: number;
  /** Cumulative layout shift. */
  cls: number;
  /** Over the wire, of all answers. */
  kilobytes: number;
  requests: number;
}

/**
 * Page loads on a phone with a slow network and processor, cold and with a full cache, of a Pulso with the demo's data;
 * medians of the rounds.
 */
export function runPageLoadBench(root: string, port: number): Promise<object> {
  return withPulso(root, port, 'demo', (url) => withChromium((browser) => measurePages(browser, url)));
}

async function measurePages(browser: Browser, url: string): Promise<object> {
  const signUp = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...MEMBER, username: 'bench' }),
  });
  if (!signUp.ok) throw new Error(`sign-up: ${signUp.status}`);
  const { items } = await get<{ items: { id: string; username: string }[] }>(`${url}/api/coaches?sort=merit`);
  const coach = items[0]!;
  const pages = [
    { name: 'landing', path: '/' },
    { name: 'directory', path: '/coaches' },
    { name: 'coach profile', path: `/coaches/${coach.id}` },
    { name: 'public profile', path: `/${coach.username}` },
    { name: 'feed', path: '/feed', member: true },
  ];
  const results: Record<string, { cold: Load; warm: Load }> = {};
  for (const { name, path, member = false } of pages) {
    const rounds: { cold: Load; warm: Load }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await browser.newContext(PHONE);
      if (member) await logIn(context, url, MEMBER);
      const cold = await measure(context, url + path);
      const warm = await measure(context, url + path);
      rounds.push({ cold, warm });
      await context.close();
    }
    results[name] = {
      cold: median(rounds.map(({ cold }) => cold)),
      warm: median(rounds.map(({ warm }) => warm)),
    };
  }
  return results;
}

async function measure(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.emulateNetworkConditions', SLOW_4G);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  let bytes = 0;
  let requests = 0;
  let changed = performance.now();
  const open = new Set<string>();
  protocol.on('Network.requestWillBeSent', ({ requestId, request }) => {
    requests += 1;
    changed = performance.now();
    // The stream of events stays open.
    if (!request.url.endsWith('/api/events')) open.add(requestId);
  });
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    changed = performance.now();
    open.delete(requestId);
  });
  protocol.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
  await page.addInitScript(OBSERVE);
  await page.goto(url, { waitUntil: 'load' });
  while (open.size > 0 || performance.now() - changed < QUIET_MS) await delay(50);
  const { lcp, cls } = await vitalsOf(page);
  await page.close();
  return { lcp: Math.round(lcp), cls: Number(cls.toFixed(4)), kilobytes: Math.round(bytes / 1000), requests };
}

const OBSERVE = `
  window.vitals = { lcp: 0, cls: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.vitals.lcp = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.vitals.cls += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

const vitalsOf = (page: Page) => page.evaluate<{ lcp: number; cls: number }>('window.vitals');

const MEMBER = { name: 'Bench', email: 'bench@example.test', password: 'a bench with weights' };

async function get<Body>(url: string): Promise<Body> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return (await answer.json()) as Body;
}

function median(loads: Load[]): Load {
  const sorted = [...loads].sort((a, b) => a.lcp - b.lcp);
  return sorted[Math.floor(sorted.length / 2)]!;
}
