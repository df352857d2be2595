import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { chromiumPath } from './support/chromium-path.js';

const DATA = 'PULSO_E2E_DATA';

/**
 * The server's data directory. This file is loaded by the main process and again by its workers: the first one makes the
 * folder, tells the others by the environment, and removes it at its end.
 */
function dataDirectory(): string {
  const known = process.env[DATA];
  if (known) return known;
  const folder = mkdtempSync(join(tmpdir(), 'pulso-e2e-'));
  // For root, PostgreSQL runs as another account, which must be able to enter.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return (process.env[DATA] = folder);
}

/** The server takes a free port unless E2E_PORT names one, and tells it: then Playwright sets this variable. */
const PORT = 'PULSO_E2E_SERVER_PORT';
const STOP_MS = 60_000;

export default defineConfig({
  testDir: 'browser',
  testMatch: '**/*.e2e.ts',
  timeout: 180_000,
  /** Ends what hangs, and tells what has not run: `tools/e2e.mjs` would only kill it. */
  globalTimeout: 1_200_000,
  expect: { timeout: 30_000 },
  /** A file's journeys run one after the other, beside those of another file, on the one server: see CONTRIBUTING. */
  workers: 2,
  forbidOnly: !!process.env.CI,
  /** What passes then is told as flaky (`tools/e2e.mjs`). */
  retries: process.env.CI ? 1 : 0,
  outputDir: 'test-results',
  reporter: [['list'], ['json', { outputFile: 'test-results/results.json' }]],
  use: {
    baseURL: `http://localhost:${process.env[PORT] ?? 'unknown'}`,
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: 'node ../tools/start.mjs',
    wait: {
      stdout: new RegExp(`Pulso is running at http://[^:\\s]+:(?<${PORT}>\\d+)\\s`),
    },
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: STOP_MS + 10_000 },
    env: {
      PORT: process.env.E2E_PORT ?? '0',
      PULSO_DATA_DIR: dataDirectory(),
      STOP_DEADLINE_MS: String(STOP_MS),
      MAX_EVENT_LOOP_DELAY_MS: '0',
      PULSO_SEED: 'demo',
      RATE_LIMIT_FACTOR: '0',
      LOG_LEVEL: 'warn',
    },
  },
});
