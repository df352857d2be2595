import type { DynamicModule, ExceptionFilter, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomStrategy } from '@nestjs/microservices';
import type { Registry } from 'prom-client';
import type { AccessTokenVerifier } from '../auth/access-token.js';
import type { WriteMark } from '../context/request-context.js';
import type { ProjectionGate } from '../events/projection-gate.js';
import type { Logger } from '../logging/logger.js';
import { NestLogger } from '../logging/nest-logger.js';
import type { Clock } from '../time/clock.js';
import { GrpcServer } from './grpc-server.js';
import { InProcessServer } from './in-process.js';
import { createRpcMetrics, noRpcMetrics } from './rpc-metrics.js';
import type { RpcTransport } from './rpc-transport.js';
import type { RpcService } from './service-definition.js';

export type { RpcTransport } from './rpc-transport.js';

export interface RpcServiceOptions {
  /** Its controllers' `@GrpcMethod` handlers are the service's methods; other providers start with it. */
  module: Type<unknown> | DynamicModule;
  service: RpcService;
  transport: RpcTransport;
  verifier: AccessTokenVerifier;
  /** What of the caller's earlier writes this service must have seen before it answers. */
  gate?: ProjectionGate;
  /** Called with what a handler has written, before its answer leaves; bounds its own waiting. */
  settleWrites?: (marks: WriteMark[]) => Promise<void>;
  clock: Clock;
  logger: Logger;
  registry?: Registry;
}

export interface RunningRpcService {
  app: INestMicroservice;
  /** How clients reach it: as given, with the port that was really bound. */
  transport: RpcTransport;
  /** Refuses new calls and waits up to 4 s for those under way; the module lives on. */
  drain(): Promise<void>;
  /** Drains, then closes the module. */
  close(): Promise<void>;
}

/**
 * Boots a module as the rpc service of its contract. Every handler runs in a RequestContext with the caller that the
 * access token names; the DomainErrors it throws reach the client, anything else is logged and answers `internal`,
 * or `unavailable` while a store is in trouble.
 * Rejects when a declared method has no handler, when a handler is none of the contract's, and for streamed requests.
 */
export async function startRpcService(options: RpcServiceOptions): Promise<RunningRpcService> {
  const { module, transport, registry, logger, ...rest } = options;
  const endpoint = { ...rest, logger, metrics: registry ? createRpcMetrics(registry) : noRpcMetrics };
  const strategy =
    transport.kind === 'in-process'
      ? new InProcessServer(transport.network, endpoint)
      : new GrpcServer(transport.url, endpoint);
  const app = await NestFactory.createMicroservice<CustomStrategy>(module, {
    strategy,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  app.useGlobalFilters(new RethrowFilter());
  try {
    await app.listen();
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    app,
    transport: strategy instanceof GrpcServer ? { kind: 'grpc', url: strategy.boundUrl } : transport,
    drain: () => strategy.close(),
    close: () => app.close(),
  };
}

/** Nest's own filter would turn every error into an anonymous one before the endpoint sees it. */
class RethrowFilter implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}
