import type { RequestContext } from '@pulso/platform/context/request-context';
import type { TracedWork } from '@pulso/platform/telemetry/tracing';
import type { RecentWrite } from '../pulso-after/pulso-after.js';

/** What the hooks of one request hand to each other. */
export interface RequestState {
  context: RequestContext;
  /** The request's `Pulso-After`, opened. */
  before: readonly RecentWrite[];
  /** The user that the answer's `Pulso-After` is for: the caller, or the user who has just signed up or in. */
  viewerId: string | null;
  /** Ends with the answer; undefined while nothing is traced. */
  span: TracedWork | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the caller is known, and for requests that no route of ours takes. */
    pulso: RequestState | null;
  }
}
