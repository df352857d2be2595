import { Controller, type Type } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type { RequestOf, ResponseOf, RpcService, RpcServiceDefinition } from './service-definition.js';

/** A use case that answers an rpc: it takes the contract's request and makes its answer. */
export interface Handler<Request, Response> {
  execute(request: Request): Response | Promise<Response>;
}

/** The use case of each rpc of a contract. A missing one, or one with other messages, does not compile. */
export type HandlersOf<D extends RpcServiceDefinition> = {
  readonly [M in keyof D]: Type<Handler<RequestOf<D[M]>, ResponseOf<D[M]>>>;
};

/** Makes each use case a Nest controller whose `execute` answers the rpc under which it is listed. */
export function controllersOf<D extends RpcServiceDefinition>(
  { name }: RpcService<D>,
  handlers: HandlersOf<D>,
): Type<unknown>[] {
  const shortName = name.slice(name.lastIndexOf('.') + 1);
  return Object.entries(handlers).map(([method, UseCase]) => {
    const prototype = UseCase.prototype as object;
    const execute = Object.getOwnPropertyDescriptor(prototype, 'execute');
    if (!execute)
      throw new Error(`${UseCase.name}: handles ${method} and has no method 'execute' of its own`);
    GrpcMethod(shortName, method)(prototype, 'execute', execute);
    Controller()(UseCase);
    return UseCase;
  });
}
