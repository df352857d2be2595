import type { RecordedCall } from './fake-clients.js';
import type { CallOptions, TestGateway } from './start-test-gateway.js';

/** Calls the gateway and reads its answer, which is JSON. */
export async function answerOf(
  gateway: Pick<TestGateway, 'call'>,
  method: string,
  path: string,
  options?: CallOptions,
): Promise<{ status: number; body: object }> {
  const answer = await gateway.call(method, path, options);
  return { status: answer.status, body: (await answer.json()) as object };
}

/** What the services were asked by this method, in order. */
export const requestsOf = (
  { calls }: { calls: readonly RecordedCall[] },
  method: string,
): Record<string, unknown>[] =>
  calls
    .filter((recorded) => recorded.method === method)
    .map(({ request }) => request as Record<string, unknown>);
