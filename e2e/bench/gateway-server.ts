import { connectServices, type GatewayClients } from '@pulso/gateway/connect-services';
import { startGateway } from '@pulso/gateway/app';
import { MARKETING } from '@pulso/gateway/config';
import { createAccessTokenSigner, generateSigningKey, publicJwks } from '@pulso/platform/auth/access-token';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { systemClock } from '@pulso/platform/time/clock';

/**
 * A gateway alone, in a process of its own: identity and messaging answer at once, with nothing new. Talks to its parent by
 * IPC: `memory` answers its memory after a garbage collection, `signal` signals a user.
 */
const USERS = Number(process.env.BENCH_USERS ?? 100);

const counts = { notifications: 2, messages: 1 };
const clients = {
  ...connectServices(() => ({ kind: 'in-process', network: new InProcessNetwork() })),
  identity: { listEndedSessions: () => Promise.resolve({ sessions: [], more: false }) },
  messaging: {
    getUnreadCounts: () => Promise.resolve(counts),
    listNews: () =>
      Promise.resolve({
        counts,
        messages: [],
        notifications: [],
        moreMessages: false,
        moreNotifications: false,
      }),
  },
} as unknown as GatewayClients;

const key = await generateSigningKey();
const signer = createAccessTokenSigner({ keys: [key], ttlSeconds: 3600, clock: systemClock });
const signals = new InProcessSignals();
const gateway = await startGateway({
  config: {
    PORT: 0,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://localhost',
    ACCESS_TOKEN_JWKS: publicJwks([key]),
    MEDIA_BYTES_URL: 'http://127.0.0.1:1',
    PULSO_AFTER_SECRETS: [{ kid: 'bench', secret: 'a secret of thirty-two characters' }],
    RATE_LIMIT_FACTOR: 0,
    MAX_EVENT_LOOP_DELAY_MS: 200,
    MAX_CONNECTIONS: 10_000,
    MAX_PAGE_RENDERS: 4,
    TRUSTED_PROXIES: 0,
    ...MARKETING,
  },
  clients,
  signals,
  eventStreams: { perAddress: 5_000 },
  logger: createLogger({ service: 'bench', level: 'silent' }),
});

const userIds = Array.from({ length: USERS }, () => newId());
const signed = await Promise.all(userIds.map((userId) => signer.sign({ userId, sessionId: newId() })));

process.on('message', (order: 'stop' | 'memory' | { signal: number }) => {
  if (order === 'stop') return void gateway.close().then(() => process.exit(0));
  if (order !== 'memory') return signals.send(`user:${userIds[order.signal]}`);
  globalThis.gc!();
  process.send!(process.memoryUsage());
});
process.send!({
  url: gateway.url,
  tokens: signed.map(({ token }) => token),
  jwks: publicJwks([key]),
});
