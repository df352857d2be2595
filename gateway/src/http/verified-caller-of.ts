import type { VerifiedCaller } from '@pulso/platform/auth/access-token';
import type { FastifyRequest } from 'fastify';

/** Who calls a private route: the gateway has verified their token. */
export function verifiedCallerOf(request: FastifyRequest): VerifiedCaller {
  return request.pulso!.context.caller as VerifiedCaller;
}
