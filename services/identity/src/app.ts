import 'reflect-metadata';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Registry } from 'prom-client';
import { IdentityServiceService } from '@pulso/contracts/identity/v1/identity';
import { createAccessTokenVerifier, publicJwks } from '@pulso/platform/auth/access-token';
import type { EventBus } from '@pulso/platform/events/event-bus';
import { OutboxRelay } from '@pulso/platform/events/outbox';
import { PostgresOutbox } from '@pulso/platform/events/postgres-outbox';
import { republish } from '@pulso/platform/events/republish';
import { settleWrites } from '@pulso/platform/events/settle-writes';
import { userTopic } from '@pulso/contracts/topics/identity';
import { PeriodicJob } from '@pulso/platform/jobs/periodic-job';
import type { Logger } from '@pulso/platform/logging/logger';
import { type RpcTransport, startRpcService } from '@pulso/platform/rpc/rpc-service';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import type { IdentityConfig } from './config.js';
import { type Consumers, identityGate, subscribeConsumers } from './consumers.js';
import { DATA_SOURCE } from './database/data-source.js';
import { KnownBlocks } from './directory/known-blocks.js';
import { IdentityModule } from './identity.module.js';
import { ApplySuspension } from './moderation/apply-suspension.js';
import { RepublishUsers } from './profile/republish-users.js';
import { PurgeSessions } from './session/purge-sessions.js';

const PURGE_INTERVAL_MS = 60 * 60 * 1000;

export interface RunningIdentity {
  /** Each rejects while its engine does not answer. */
  checks: Record<string, () => Promise<void>>;
  relay: OutboxRelay;
  /** Publishes every state of a noun again; identity's only one is `user`. */
  republish(noun: string): Promise<void>;
  /** Refuses new calls, finishes those under way, publishes what they wrote, and ends the relay. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface IdentityOptions {
  config: IdentityConfig;
  transport: RpcTransport;
  bus: EventBus;
  clock?: Clock;
  logger: Logger;
  registry?: Registry;
}

/** Boots the service on a migrated database; call it before `bus.start()`: it consumes blocks and suspensions. */
export async function startIdentity(options: IdentityOptions): Promise<RunningIdentity> {
  const { config, transport, bus, clock = systemClock, logger, registry } = options;
  // A write that comes before there is a relay is found by the relay's first look.
  let nudge = (): void => undefined;
  // Filled once the module has booted; calls may come a moment before.
  const running: { consumers?: Consumers } = {};
  const rpc = await startRpcService({
    module: IdentityModule.with({ config, clock }),
    service: { name: 'pulso.identity.v1.IdentityService', definition: IdentityServiceService },
    transport,
    verifier: createAccessTokenVerifier({ jwks: publicJwks(config.ACCESS_TOKEN_KEYS), clock }),
    gate: identityGate(() => running.consumers),
    settleWrites: settleWrites(bus, () => nudge()),
    clock,
    logger,
    registry,
  });
  const { app } = rpc;
  running.consumers = {
    blocks: app.get(KnownBlocks, { strict: false }),
    suspensions: app.get(ApplySuspension, { strict: false }),
  };
  subscribeConsumers(bus, running.consumers, () => nudge());
  const dataSource = app.get<DataSource>(getDataSourceToken(DATA_SOURCE), { strict: false });
  const relay = new OutboxRelay({ sources: [new PostgresOutbox(dataSource)], bus, logger, registry });
  nudge = () => relay.nudge();
  relay.start();
  const purge = new PeriodicJob({
    name: 'purge of sessions',
    everyMs: PURGE_INTERVAL_MS,
    work: () => app.get(PurgeSessions, { strict: false }).execute(),
    logger,
  });
  purge.start();

  return {
    checks: { postgres: async () => void (await dataSource.query('SELECT 1')) },
    relay,
    async republish(noun) {
      if (noun !== 'user') throw new Error(`Identity has no '${noun}' to republish`);
      const states = app.get(RepublishUsers, { strict: false }).states();
      const count = await republish({ topic: userTopic, states, bus });
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
