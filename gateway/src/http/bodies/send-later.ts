import type { Logger } from '@pulso/platform/logging/logger';
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from 'fastify';
import type {} from '../../errors/answered.js';

/**
 * Whether an answer waits already, which Fastify does not see: the one that is about to be sent is an error of ours. It goes
 * no further, and `sendLater` undoes the status and type that it has set.
 */
export function isSecondAnswer(
  { id: requestId, waiting }: FastifyRequest,
  logger: Pick<Logger, 'error'>,
): boolean {
  if (!waiting) return false;
  logger.error({ err: new Error('A second answer'), requestId }, 'a second answer is dropped');
  return true;
}

/** To be called when the status and headers of an answer are complete. */
export function holdAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.waiting = { status: reply.statusCode, type: reply.getHeader('content-type') };
}

/**
 * Sends an answer that is held. The answers of one turn of the event loop leave together: writing to a socket wakes its
 * reader, and for all but the first of them the reader is awake already. With readers on the same machine that was a
 * quarter of a feed page.
 */
export function sendLater(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
  logger: Pick<Logger, 'error'>,
): void {
  setImmediate(() => {
    try {
      restore(request, reply);
      done(null, payload);
    } catch (err) {
      // The answer cannot be sent, for example because of a bad header. Throwing here would end the process.
      logger.error({ err, requestId: request.id }, 'an answer could not be sent');
      reply.raw.destroy();
    }
  });
}

/** As they were when the answer began to wait. */
function restore(request: FastifyRequest, reply: FastifyReply): void {
  const { status, type } = request.waiting!;
  request.waiting = null;
  if (reply.statusCode !== status) reply.code(status);
  if (reply.getHeader('content-type') === type) return;
  if (type === undefined) reply.removeHeader('content-type');
  else reply.header('content-type', type);
}
