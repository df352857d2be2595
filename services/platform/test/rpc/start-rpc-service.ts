import type { DynamicModule, ExceptionFilter, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomStrategy } from '@nestjs/microservices';
import type { Logger } from '../../src/logging/logger.js';
import { NestLogger } from '../../src/logging/nest-logger.js';
import { createRpcServer, transportOf } from '../../src/rpc/rpc-server.js';
import type { RpcTransport } from '../../src/rpc/rpc-transport.js';

export type RpcServiceOptions = Parameters<typeof createRpcServer>[1] & {
  module: Type<unknown> | DynamicModule;
  transport: RpcTransport;
  logger: Logger;
};

export interface RunningRpcService {
  app: INestMicroservice;
  transport: RpcTransport;
  /** Refuses new calls and waits for running ones. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

class RethrowFilter implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}

/** Starts a test's module with only the rpc server: no store, no bus. */
export async function startRpcService(options: RpcServiceOptions): Promise<RunningRpcService> {
  const { module, transport, ...endpoint } = options;
  const server = createRpcServer(transport, endpoint);
  const app = await NestFactory.createMicroservice<CustomStrategy>(module, {
    strategy: server,
    logger: new NestLogger(options.logger),
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
    transport: transportOf(transport, server),
    drain: () => server.close(),
    close: () => app.close(),
  };
}
