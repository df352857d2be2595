import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { Logger } from '@pulso/platform/logging/logger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAnswered } from './answered.js';
import { problemOf } from './problem.js';
import { sendAnswer } from './send-problem.js';

/** Whatever handlers, hooks or Fastify itself throw leaves as a problem, never as Nest's own JSON. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { id: requestId } = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (isAnswered(reply)) {
      this.logger.error({ err: error, requestId }, 'an error after the answer');
      return;
    }
    const answer = problemOf(error, requestId);
    if (answer.unexpected) this.logger.error({ err: error, requestId }, 'unexpected error');
    sendAnswer(answer, reply);
  }
}
