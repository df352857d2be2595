import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';

/** What is shown later than this after the last request does not count. */
const QUIET_MS = 1_500;
/** A page that never comes to rest is an error. */
const LOAD_TIMEOUT_MS = 60_000;
/** Lighthouse's "Slow 4G": 150 ms a round trip, 1.6 and 0.75 Mbit/s; bytes a second. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
/** A processor so many times slower than this one. */
const SLOWDOWN = 4;
/** A task blocks by what it takes beyond. */
const LONG_TASK_MS = 50;

export interface Load {
  /** First contentful paint, in ms. */
  fcp: number;
  /** Largest contentful paint, in ms. */
  lcp: number;
  /** Cumulative layout shift. */
  cls: number;
  /** What tasks took beyond 50 ms each, all together. */
  blockingMs: number;
  /** Over the wire: of all answers, and of scripts alone, with how many these are. */
  kilobytes: number;
  scriptKilobytes: number;
  scripts: number;
  requests: number;
}

/** Loads `url` in a new page as a phone with a slow network and processor. */
export async function loadOf(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.emulateNetworkConditions', SLOW_4G);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const sent = { all: 0, script: 0, scripts: 0, requests: 0 };
  const scripts = new Set<string>();
  const open = new Set<string>();
  let changed = performance.now();
  protocol.on('Network.requestWillBeSent', ({ requestId, request }) => {
    sent.requests += 1;
    changed = performance.now();
    // The stream of events stays open.
    if (!request.url.endsWith('/api/events')) open.add(requestId);
    if (new URL(request.url).pathname.endsWith('.js')) scripts.add(requestId);
  });
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sent.all += encodedDataLength;
    if (scripts.has(requestId) && encodedDataLength > 0) {
      sent.script += encodedDataLength;
      sent.scripts += 1;
    }
    changed = performance.now();
    open.delete(requestId);
  });
  protocol.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
  await page.addInitScript(OBSERVE);
  await page.goto(url, { waitUntil: 'load' });
  const limit = performance.now() + LOAD_TIMEOUT_MS;
  while (open.size > 0 || performance.now() - changed < QUIET_MS) {
    if (performance.now() > limit) throw new Error(`${url} is still loading ${[...open].join(', ')}`);
    await delay(50);
  }
  const { fcp, lcp, cls, blockingMs } = await page.evaluate<Vitals>('window.vitals');
  await page.close();
  return {
    fcp: Math.round(fcp),
    lcp: Math.round(lcp),
    cls: Number(cls.toFixed(4)),
    blockingMs: Math.round(blockingMs),
    kilobytes: Math.round(sent.all / 1000),
    scriptKilobytes: Math.round(sent.script / 1000),
    scripts: sent.scripts,
    requests: sent.requests,
  };
}

type Vitals = Pick<Load, 'fcp' | 'lcp' | 'cls' | 'blockingMs'>;

const OBSERVE = `
  window.vitals = { fcp: 0, lcp: 0, cls: 0, blockingMs: 0 };
  const each = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  each('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') window.vitals.fcp = startTime;
  });
  each('largest-contentful-paint', ({ startTime }) => (window.vitals.lcp = startTime));
  each('layout-shift', ({ hadRecentInput, value }) => {
    if (!hadRecentInput) window.vitals.cls += value;
  });
  each('longtask', ({ duration }) => (window.vitals.blockingMs += duration - ${LONG_TASK_MS}));
`;
