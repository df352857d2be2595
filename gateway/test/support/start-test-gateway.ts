import { createAccessTokenSigner, generateSigningKey, publicJwks } from '@pulso/platform/auth/access-token';
import { createLogger } from '@pulso/platform/logging/logger';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import type { Signals } from '@pulso/platform/signals/signals';
import type { Registry } from 'prom-client';
import { type GatewayOptions, startGateway } from '../../src/app.js';
import { type GatewayConfig, MARKETING } from '../../src/config.js';
import type { DevMailbox } from '../../src/dev-mail/dev-mailbox.js';
import type { GatewayParts } from '../../src/gateway.module.js';
import type { EventStreamLimits } from '../../src/http/kinds/event-streams.js';
import type { Delay } from '../../src/rate-limit/rate-limiter.js';
import type { RateLimitStore } from '../../src/rate-limit/rate-limit-store.js';
import { type FakeServices, fakeServices, SESSION_ID, TIME, USER_ID } from './fake-clients.js';

export interface TestGateway extends FakeServices {
  url: string;
  /** Where one was asked for. */
  operationsPort?: number;
  clock: ManualClock;
  signals: Signals;
  token: string;
  tokenFor(userId: string, sessionId?: string): Promise<string>;
  /** fetch with the path alone; `token: null` sends none, `json` a body with its type. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** May be called again. */
  close(): Promise<void>;
}

export interface CallOptions {
  token?: string | null;
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

export interface TestGatewayOptions extends Partial<GatewayConfig> {
  operationsPort?: number;
  maxConcurrentPerRoute?: number;
  unread?: GatewayOptions['unread'];
  connections?: GatewayOptions['connections'];
  /** 0 unless given: the test itself is the only client. */
  drainQuietMs?: number;
  eventStreams?: Partial<EventStreamLimits>;
  /** 0 unless given: suites send one signal after the other. */
  readEveryMs?: number;
  mediaLimits?: GatewayParts['mediaLimits'];
  guestPageLimits?: GatewayOptions['guestPageLimits'];
  sitemapLimits?: GatewayOptions['sitemapLimits'];
  devMail?: DevMailbox;
  signals?: Signals;
  registry?: Registry;
  /** Used where RATE_LIMIT_FACTOR is not 0. */
  rateLimits?: RateLimitStore;
  /** How answers come later where a limit delays. */
  delay?: Delay;
  /** How long access tokens live: 600 s unless given. */
  tokenSeconds?: number;
  /** Changes what the services answer before the gateway starts. */
  prepare?(services: FakeServices): void;
}

/** Like `startTestGateway`, for one test: it is closed when that has ended. */
export async function startGatewayForThisTest(
  ...options: Parameters<typeof startTestGateway>
): Promise<TestGateway> {
  const gateway = await startTestGateway(...options);
  onTestEnd(() => gateway.close());
  return gateway;
}

/** A gateway that listens, over fake services, with a clock that stands still. */
export async function startTestGateway(
  options: TestGatewayOptions = {},
  destination?: { write(line: string): void },
): Promise<TestGateway> {
  const {
    operationsPort,
    maxConcurrentPerRoute,
    unread,
    connections,
    eventStreams,
    readEveryMs = 0,
    mediaLimits,
    guestPageLimits,
    sitemapLimits,
    registry,
    rateLimits,
    delay,
    tokenSeconds = 600,
    ...rest
  } = options;
  const { signals = new InProcessSignals(), drainQuietMs = 0, devMail, prepare, ...changes } = rest;
  const clock = new ManualClock(TIME);
  const key = await generateSigningKey();
  const signer = createAccessTokenSigner({ keys: [key], ttlSeconds: tokenSeconds, clock });
  const tokenFor = async (userId: string, sessionId = SESSION_ID) =>
    (await signer.sign({ userId, sessionId })).token;
  const token = await tokenFor(USER_ID);
  const services = fakeServices(token);
  prepare?.(services);
  const gateway = await startGateway({
    config: {
      PORT: 0,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'https://pulso.example',
      ACCESS_TOKEN_JWKS: publicJwks([key]),
      // Nothing listens there.
      MEDIA_BYTES_URL: 'http://127.0.0.1:1',
      PULSO_AFTER_SECRETS: [{ kid: 'k1', secret: 'a secret of thirty-two characters' }],
      RATE_LIMIT_FACTOR: 0,
      TRUSTED_PROXIES: 0,
      // The test itself keeps this process busy.
      MAX_EVENT_LOOP_DELAY_MS: 0,
      MAX_CONNECTIONS: 10_000,
      MAX_PAGE_RENDERS: 4,
      ...MARKETING,
      ...changes,
    },
    clients: services.clients,
    operationsPort,
    maxConcurrentPerRoute,
    unread,
    connections,
    drainQuietMs,
    eventStreams,
    readEveryMs,
    mediaLimits,
    guestPageLimits,
    sitemapLimits,
    devMail,
    signals,
    registry,
    rateLimits,
    delay,
    clock,
    logger: createLogger({ service: 'gateway', level: destination ? 'info' : 'silent', destination }),
  });
  let closing: Promise<void> | undefined;
  return Object.assign(services, {
    url: gateway.url,
    operationsPort: gateway.operationsPort,
    clock,
    signals,
    token,
    tokenFor,
    call: (method: string, path: string, options: CallOptions = {}) =>
      fetch(gateway.url + path, request(method, token, options)),
    close: () => (closing ??= gateway.close()),
  });
}

function request(method: string, ownToken: string, { token = ownToken, json, body, headers }: CallOptions) {
  return {
    method,
    body: json === undefined ? body : JSON.stringify(json),
    redirect: 'manual' as const,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  };
}
