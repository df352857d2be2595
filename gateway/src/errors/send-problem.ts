import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_TYPE, type ProblemAnswer, problemOf } from './problem.js';

/** Answers a refusal of the hooks as problem+json. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendAnswer(problemOf(error, request.id), reply);
}

export function sendAnswer({ problem, headers }: ProblemAnswer, reply: FastifyReply): void {
  void reply.code(problem.status).headers(headers).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}
