import { basename, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { logIn, withChromium } from './bench-browser.js';
import { type RunningCheckout, startCheckout } from './bench-checkout.js';
import { type Load, loadOf } from './page-vitals.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Names of pages, separated by commas; all unless given. */
const PAGES = process.env.BENCH_PAGES?.split(',');
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** The demo's content is there some time after the API answers. */
const SEED_TIMEOUT_MS = 60_000;
/** Of the demo. */
const MEMBER = { email: 'alex@demo.pulso.fit', password: 'pulso-demo' };

interface PageOfBench {
  name: string;
  path: string;
  member?: true;
}

/** A running checkout, with what it shows. */
interface Side extends RunningCheckout {
  name: string;
  pages: readonly PageOfBench[];
}

type Temperature = 'cold' | 'warm';

/**
 * Page loads on a phone with a slow network and processor, cold and with a full cache, of a Pulso with the demo's data: of one
 * checkout or of several in alternating rounds; medians of the rounds.
 *
 * @param checkouts folders
 */
export async function runPageLoadBench(
  checkouts: readonly string[],
  ports: readonly number[],
): Promise<object> {
  const sides: Side[] = [];
  try {
    for (const [index, root] of checkouts.entries()) {
      const running = await startCheckout(resolve(root), ports[index]!, {
        seed: 'demo',
        settings: SETTINGS,
      });
      sides.push({ ...running, name: basename(resolve(root)), pages: [] });
      sides.at(-1)!.pages = await pagesOf(running.url);
    }
    return await withChromium((browser) => measure(browser, sides));
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
}

/** Other work on the machine must not make Pulso refuse calls. */
const SETTINGS = { MAX_EVENT_LOOP_DELAY_MS: '10000' };

/** Once the demo's content can be read. */
async function pagesOf(url: string): Promise<readonly PageOfBench[]> {
  const coach = await found('a coach', async () => {
    const { items } = await get<{ items: { id: string }[] }>(`${url}/api/coaches?sort=merit`);
    return items[0]?.id;
  });
  const post = await found('a post', async () => {
    const { items } = await get<{ items: { id: string; locked: boolean }[] }>(
      `${url}/api/users/${coach}/posts`,
    );
    return items.find(({ locked }) => !locked)?.id;
  });
  return [
    { name: 'landing', path: '/' },
    { name: 'feed', path: '/feed', member: true },
    { name: 'coach as guest', path: `/coaches/${coach}` },
    { name: 'coach', path: `/coaches/${coach}`, member: true },
    { name: 'post as guest', path: `/post/${post}` },
    { name: 'post', path: `/post/${post}`, member: true },
    { name: 'directory', path: '/coaches' },
  ];
}

async function measure(browser: Browser, sides: readonly Side[]): Promise<object> {
  const report: Record<string, Record<string, Record<Temperature, Load>>> = {};
  for (const { name } of sides[0]!.pages) {
    if (PAGES && !PAGES.includes(name)) continue;
    const rounds = new Map(sides.map((side) => [side, { cold: [] as Load[], warm: [] as Load[] }]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of sides) {
        const { cold, warm } = await measureRound(browser, side, name);
        rounds.get(side)!.cold.push(cold);
        rounds.get(side)!.warm.push(warm);
      }
    }
    report[name] = Object.fromEntries(
      [...rounds].map(([side, { cold, warm }]) => [side.name, { cold: medians(cold), warm: medians(warm) }]),
    );
    console.log(name, JSON.stringify(report[name]));
  }
  return report;
}

async function measureRound(
  browser: Browser,
  { url, pages }: Side,
  name: string,
): Promise<Record<Temperature, Load>> {
  const { path, member } = pages.find((page) => page.name === name)!;
  const context = await browser.newContext(PHONE);
  try {
    if (member) await logIn(context, url, MEMBER);
    const cold = await loadOf(context, url + path);
    return { cold, warm: await loadOf(context, url + path) };
  } finally {
    await context.close();
  }
}

async function found(what: string, look: () => Promise<string | undefined>): Promise<string> {
  for (const end = performance.now() + SEED_TIMEOUT_MS; performance.now() < end; await delay(200)) {
    const one = await look();
    if (one !== undefined) return one;
  }
  throw new Error(`the demo has not ${what}`);
}

async function get<Body>(url: string): Promise<Body> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return (await answer.json()) as Body;
}

/** Each figure's own. */
function medians(loads: readonly Load[]): Load {
  const figures = Object.keys(loads[0]!) as (keyof Load)[];
  const medianOf = (figure: keyof Load) =>
    loads.map((load) => load[figure]).sort((a, b) => a - b)[Math.floor(loads.length / 2)]!;
  return Object.fromEntries(figures.map((figure) => [figure, medianOf(figure)])) as unknown as Load;
}
