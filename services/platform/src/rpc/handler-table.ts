import type { MessageHandler } from '@nestjs/microservices';
import { z } from 'zod';
import type { RpcService } from './service-definition.js';

const patternSchema = z.object({ service: z.string(), rpc: z.string(), streaming: z.string() });

/**
 * The handlers that Nest found, by method of the service's definition. Boot fails if a method has no handler or two, if a
 * handler belongs to no method, and if a request or an answer is a stream, which no transport supports.
 */
export class HandlerTable {
  private readonly handlers = new Map<string, MessageHandler>();

  constructor(private readonly service: RpcService) {
    for (const [method, { requestStream, responseStream }] of Object.entries(service.definition)) {
      if (requestStream || responseStream)
        throw new Error(`${service.name}.${method}: streams are not supported`);
    }
  }

  /** `pattern` comes from `@GrpcMethod`: `{ service, rpc, streaming }`, with `rpc` in lower or upper camel case. */
  add(pattern: unknown, handler: MessageHandler): void {
    const parsed = patternSchema.safeParse(pattern);
    if (!parsed.success) throw new Error(`${this.service.name}: ${JSON.stringify(pattern)} is not an rpc`);
    const { service, rpc, streaming } = parsed.data;
    const method = rpc.charAt(0).toLowerCase() + rpc.slice(1);
    const label = `${service}.${method}`;
    if (service !== this.service.name && service !== this.service.name.split('.').at(-1)) {
      throw new Error(`${label}: not part of ${this.service.name}`);
    }
    if (streaming !== 'no_stream') throw new Error(`${label}: streams are not supported`);
    if (!Object.hasOwn(this.service.definition, method))
      throw new Error(`${label}: not declared in the contract`);
    if (this.handlers.has(method)) throw new Error(`${label}: has two handlers`);
    this.handlers.set(method, handler);
  }

  /** The handler of every declared method. Throws with the names of all methods without one. */
  complete(): ReadonlyMap<string, MessageHandler> {
    const missing = Object.keys(this.service.definition).filter((method) => !this.handlers.has(method));
    if (missing.length > 0) throw new Error(`${this.service.name}: no handler for ${missing.join(', ')}`);
    return this.handlers;
  }
}
