import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Status and type of an answer that waits to be sent; null while none waits. */
    waiting: { status: number; type: unknown } | null;
  }
}

/** Whether an error comes too late: there is an answer, which Fastify itself may not see yet. */
export function isAnswered({ request, raw }: FastifyReply): boolean {
  return request.waiting !== null || raw.headersSent;
}
