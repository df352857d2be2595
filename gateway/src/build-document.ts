import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createLogger } from '@pulso/platform/logging/logger';
import { systemClock } from '@pulso/platform/time/clock';
import { EndedSessions } from './auth/ended-sessions.js';
import type { GatewayClients } from './clients.js';
import { GatewayConfig } from './config.js';
import { GatewayModule } from './gateway.module.js';
import { createAdapter } from './http/fastify-adapter.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';
import { InMemoryRateLimitStore } from './rate-limit/rate-limit-store.js';
import { createDocument } from './openapi/document.js';

/** The document without a running gateway: controllers are there, no service behind them. */
export async function buildDocument(): Promise<OpenAPIObject> {
  const logger = createLogger({ service: 'openapi', level: 'silent' });
  const clients = { identity: {}, posts: {}, social: {} } as unknown as GatewayClients;
  const ended = new EndedSessions(clients.identity, systemClock, logger);
  const limiter = new RateLimiter(new InMemoryRateLimitStore(systemClock), systemClock, 0);
  const config = Object.assign(new GatewayConfig(), { PUBLIC_URL: 'http://localhost' });
  const module = GatewayModule.with({ config, clients, ended, limiter, logger });
  const adapter = createAdapter({
    trustedProxies: 0,
    answerUnrouted: (_request, reply) => void reply.send(),
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  await app.init();
  const document = createDocument(app);
  await app.close();
  return document;
}
