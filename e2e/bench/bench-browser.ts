import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { chromiumPath } from '../support/chromium-path.js';
import { startCheckout } from './bench-checkout.js';

/** Runs `npm start` on `port` with an empty data directory and without rate limits, as long as `work` takes. */
export async function withPulso<T>(
  root: string,
  port: number,
  seed: 'demo' | 'none',
  work: (url: string) => Promise<T>,
): Promise<T> {
  const pulso = await startCheckout(root, port, { seed });
  try {
    return await work(pulso.url);
  } finally {
    await pulso.stop();
  }
}

export async function withChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Signs the context in: the answer's cookies tell the app so. */
export async function logIn(
  context: BrowserContext,
  url: string,
  credentials: { email: string; password: string },
): Promise<void> {
  const answer = await context.request.post(`${url}/api/auth/login`, { data: credentials });
  if (!answer.ok()) throw new Error(`login: ${answer.status()}`);
}
