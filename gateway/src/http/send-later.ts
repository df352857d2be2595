import type { Logger } from '@pulso/platform/logging/logger';
import type { DoneFuncWithErrOrRes, FastifyReply } from 'fastify';

/**
 * The answers of one turn of the event loop leave together: writing to a socket wakes its reader, and for all but the
 * first of them the reader is awake already. With readers on the same machine that was a quarter of a feed page.
 */
export function sendLater(
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
  logger: Pick<Logger, 'error'>,
): void {
  setImmediate(() => {
    try {
      done(null, payload);
    } catch (err) {
      // The answer cannot be sent, for example because of a bad header. Throwing here would end the process.
      logger.error({ err, requestId: reply.request.id }, 'an answer could not be sent');
      reply.raw.destroy();
    }
  });
}
