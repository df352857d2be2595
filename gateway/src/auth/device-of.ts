import type { Device } from '@pulso/contracts/identity/v1/identity';
import type { FastifyRequest } from 'fastify';

/** Identity keeps the beginning of the user agent; Node bounds all headers of a request. */
export function deviceOf(request: FastifyRequest): Device {
  return { userAgent: request.headers['user-agent'] ?? '', address: request.ip };
}
