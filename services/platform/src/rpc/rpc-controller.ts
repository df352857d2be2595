import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type { RpcService } from './service-definition.js';

/**
 * A Nest controller. Its methods that are named like the contract's methods handle them. A class may handle only some of
 * them; boot fails if a method has no handler in any class.
 */
export function RpcController(service: RpcService): ClassDecorator {
  const shortName = service.name.split('.').at(-1)!;
  return (target) => {
    const prototype = target.prototype as object;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (!Object.hasOwn(service.definition, name)) continue;
      const method = Object.getOwnPropertyDescriptor(prototype, name)!;
      GrpcMethod(shortName, name)(prototype, name, method);
    }
    Controller()(target);
  };
}
