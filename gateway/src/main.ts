import { connectOrExplain } from '@pulso/platform/process/engine-address';
import { listenOrExplain } from '@pulso/platform/process/listening';
import { type ProcessContext, runProcess } from '@pulso/platform/process/run-process';
import { connectRedis } from '@pulso/platform/redis/redis';
import { RedisSignals } from '@pulso/platform/signals/redis-signals';
import { counter } from '@pulso/platform/telemetry/metrics';
import { systemClock } from '@pulso/platform/time/clock';
import { startGateway } from './app.js';
import { connectServices } from './connect-services.js';
import { type GatewayProcessConfig, readGatewayConfig, rpcUrlSetting } from './config.js';
import { FallbackRateLimitStore } from './rate-limit/fallback-rate-limit-store.js';
import { InMemoryRateLimitStore } from './rate-limit/rate-limit-store.js';
import { RedisRateLimitStore } from './rate-limit/redis-rate-limit-store.js';

// The gateway as a process of its own. It calls the services by rpc, and they may come and go while it serves.
// Replicas share rate limits and signals through Redis.
await runProcess({ name: 'gateway', readConfig: readGatewayConfig, start });

async function start(context: ProcessContext<GatewayProcessConfig>): Promise<void> {
  const { config, logger, registry, onStop } = context;
  const redis = await connectOrExplain('REDIS_URL', config.REDIS_URL, () =>
    connectRedis(config.REDIS_URL, logger),
  );
  onStop(() => redis.disconnect());
  const signals = new RedisSignals({ redis, logger, registry });
  onStop(() => signals.close());
  const clients = connectServices((name) => ({ kind: 'connect', url: config[rpcUrlSetting(name)] }));
  for (const client of Object.values(clients)) onStop(() => client.close());

  const fallbacks = counter(registry, {
    name: 'pulso_rate_limit_fallbacks_total',
    help: 'Hits counted by this replica alone because Redis was unreachable',
  });
  const rateLimits = new FallbackRateLimitStore({
    shared: new RedisRateLimitStore(redis, systemClock),
    own: new InMemoryRateLimitStore(systemClock),
    clock: systemClock,
    logger,
    onFallback: () => fallbacks.inc(),
  });
  const operationsPort = config.OPERATIONS_PORT;
  const gateway = await listenOrExplain(
    { PORT: config.PORT, OPERATIONS_PORT: operationsPort },
    () => startGateway({ config, clients, operationsPort, rateLimits, signals, logger, registry }),
    { HOST: config.HOST },
  );
  onStop(() => gateway.close());
}
