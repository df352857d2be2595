import 'reflect-metadata';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { systemClock } from '@pulso/platform/time/clock';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { EndedSessions } from './auth/ended-sessions.js';
import type { GatewayClients } from './connect-services.js';
import { GatewayConfig } from './config.js';
import { GatewayModule } from './gateway.module.js';
import { RequestTimeouts } from './http/guards/request-timeouts.js';
import { createAdapter } from './edge/fastify-adapter.js';
import { createDocument } from './openapi/document.js';
import { PulsoAfter } from './pulso-after/pulso-after.js';

/** The document without a running gateway. */
export async function buildDocument(): Promise<OpenAPIObject> {
  const { app, close } = await bareApplication();
  const document = createDocument(app);
  await close();
  return document;
}

/** All controllers, with no service behind them; `onRoute` is told of each route. */
export async function bareApplication(onRoute: (route: RouteOptions) => void = () => undefined) {
  const logger = createLogger({ service: 'openapi', level: 'silent' });
  const clients = Object.fromEntries(SERVICE_NAMES.map((name) => [name, {}])) as unknown as GatewayClients;
  const signals = new InProcessSignals();
  const clock = systemClock;
  const ended = new EndedSessions({ identity: clients.identity, clock, logger, signals });
  const pulsoAfter = new PulsoAfter([{ kid: 'none', secret: 'nothing is sealed with it' }], clock);
  const config = Object.assign(new GatewayConfig(), { PUBLIC_URL: 'http://localhost' });
  const adapter = createAdapter({ trustedProxies: 0, headers: {} });
  adapter.getInstance<FastifyInstance>().addHook('onRoute', onRoute);
  const timeouts = new RequestTimeouts(adapter.getHttpServer<Server>());
  const module = GatewayModule.with({ config, clients, ended, pulsoAfter, signals, clock, logger, timeouts });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  await app.init();
  const close = async () => {
    await app.close();
    timeouts.close();
  };
  return { app, close };
}
