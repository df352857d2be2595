import 'reflect-metadata';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Registry } from 'prom-client';
import { SocialServiceService } from '@pulso/contracts/social/v1/social';
import { createAccessTokenVerifier } from '@pulso/platform/auth/access-token';
import type { EventBus } from '@pulso/platform/events/event-bus';
import { OutboxRelay } from '@pulso/platform/events/outbox';
import { PostgresOutbox } from '@pulso/platform/events/postgres-outbox';
import { settleWrites } from '@pulso/platform/events/settle-writes';
import { PeriodicJob } from '@pulso/platform/jobs/periodic-job';
import type { Logger } from '@pulso/platform/logging/logger';
import { type RpcTransport, startRpcService } from '@pulso/platform/rpc/rpc-service';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import type { SocialConfig } from './config.js';
import { DATA_SOURCE } from './database/data-source.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.js';
import { type Projections, socialGate, subscribeProjections } from './projection/consumers.js';
import { KnownSubscriptions } from './projection/known-subscriptions.js';
import { KnownUsers } from './projection/known-users.js';
import { RepublishSocial } from './republish-social.js';
import { SocialModule } from './social.module.js';

const PURGE_INTERVAL_MS = 60 * 60 * 1000;

export const SOCIAL_SERVICE = { name: 'pulso.social.v1.SocialService', definition: SocialServiceService };

export interface RunningSocial {
  /** Each rejects while its engine does not answer. */
  checks: Record<string, () => Promise<void>>;
  relay: OutboxRelay;
  /** Publishes every state again of `follow`, `block`, `review`, `hidden-post` or `user-suspension`. */
  republish(noun: string): Promise<void>;
  /** Refuses new calls, finishes those under way, publishes what they wrote, and ends the relay. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface SocialOptions {
  config: SocialConfig;
  transport: RpcTransport;
  bus: EventBus;
  clock?: Clock;
  logger: Logger;
  registry?: Registry;
}

/** Boots the service on a migrated database; call it before `bus.start()`: it consumes users and subscriptions. */
export async function startSocial(options: SocialOptions): Promise<RunningSocial> {
  const { config, transport, bus, clock = systemClock, logger, registry } = options;
  // Filled once the module has booted; calls may come a moment before.
  const running: { relay?: OutboxRelay; projections?: Projections } = {};
  const rpc = await startRpcService({
    module: SocialModule.with({ config, clock }),
    service: SOCIAL_SERVICE,
    transport,
    verifier: createAccessTokenVerifier({ jwks: config.ACCESS_TOKEN_JWKS, clock }),
    gate: socialGate(() => running.projections),
    settleWrites: settleWrites(bus, () => running.relay?.nudge()),
    clock,
    logger,
    registry,
  });
  const { app } = rpc;
  const projections: Projections = {
    users: app.get(KnownUsers, { strict: false }),
    subscriptions: app.get(KnownSubscriptions, { strict: false }),
  };
  subscribeProjections(bus, projections);
  const dataSource = app.get<DataSource>(getDataSourceToken(DATA_SOURCE), { strict: false });
  const relay = new OutboxRelay({ sources: [new PostgresOutbox(dataSource)], bus, logger, registry });
  relay.start();
  Object.assign(running, { relay, projections });
  const purge = new PeriodicJob({
    name: 'purge of idempotency keys',
    everyMs: PURGE_INTERVAL_MS,
    work: () => app.get(IdempotentWrites, { strict: false }).purge(),
    logger,
  });
  purge.start();

  return {
    checks: { postgres: async () => void (await dataSource.query('SELECT 1')) },
    relay,
    async republish(noun) {
      const count = await app.get(RepublishSocial, { strict: false }).execute(noun, bus);
      logger.info({ noun, count }, 'republished');
    },
    async drain() {
      await rpc.drain();
      await relay.finish();
    },
    async close() {
      await purge.stop();
      await relay.stop();
      await rpc.close();
    },
  };
}
