import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpErrorCode } from './error-table.js';
import { PROBLEM_TYPE, type ProblemAnswer, problemOf, withErrorText } from './problem.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the problem that the request is answered with. */
    refusal: HttpErrorCode | null;
  }
}

/** Answers a refusal of the hooks as problem+json. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendAnswer(problemOf(error, request.id), reply);
}

export function sendAnswer({ problem, headers }: ProblemAnswer, reply: FastifyReply): void {
  reply.request.refusal = problem.code;
  const told = withErrorText(problem, reply.request.url);
  void reply.code(problem.status).headers(headers).type(PROBLEM_TYPE).send(JSON.stringify(told));
}
