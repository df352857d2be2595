import { FIELD_ERRORS } from '@pulso/contracts/field-errors';
import { badInputs, type BadInput } from './bad-input.table.js';
import { withoutText } from './support/refusal-texts.js';
import { ERROR_CODES } from '../src/errors/error-table.js';
import type { Problem } from '../src/errors/problem.js';
import { COMMENT_ID, CONVERSATION_ID, POST_ID, SESSION_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const ids = {
  postId: POST_ID,
  commentId: COMMENT_ID,
  userId: USER_ID,
  sessionId: SESSION_ID,
  conversationId: CONVERSATION_ID,
  username: 'ana-torres',
};

let gateway: TestGateway;
let tokens: Record<BadInput['token'], string | undefined>;

beforeAll(async () => {
  const stranger = await startTestGateway();
  const forged = await stranger.tokenFor(USER_ID);
  await stranger.close();
  gateway = await startTestGateway();
  const expired = await gateway.tokenFor(USER_ID);
  gateway.clock.advance(600_000);
  tokens = { none: undefined, valid: await gateway.tokenFor(USER_ID), forged, expired };
});

afterAll(() => gateway?.close());

async function send({ method, path, headers, body, token }: BadInput) {
  const bearer = tokens[token];
  const response = await fetch(gateway.url + path, {
    method,
    headers: { ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body,
  });
  return { response, problem: (await response.json()) as Problem };
}

// Rule: HTTP-4, HTTP-12, HTTP-14, POST-26
describe.each(badInputs(ids))('$call', ({ inputs }) => {
  it.each(inputs.filter(({ byService }) => !byService))('refuses a request $name', async (input) => {
    gateway.calls.length = 0;
    const { response, problem } = await send(input);
    const { status, code, path } = input.expect;
    expect([response.status, problem.code, problem.detail]).toEqual([status, code, expect.any(String)]);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(ERROR_CODES).toContain(code);
    expect(problem.requestId).toBe(response.headers.get('x-request-id'));
    if (path !== undefined) expect(problem.errors?.map((error) => error.path)).toContain(path);
    for (const error of problem.errors ?? []) {
      expect(Object.keys(FIELD_ERRORS)).toContain(error.code);
      expect(withoutText([error], input.bodyName)).toEqual([]);
    }
    const asked = gateway.calls.filter(({ method }) => !/^(count|get|list)/.test(method));
    expect(asked).toEqual([]);
  });

  const handedOn = inputs.filter(({ byService }) => byService);
  if (handedOn.length === 0) return;

  // Rule: HTTP-16
  it.each(handedOn)('hands on to the service a request $name', async (input) => {
    gateway.calls.length = 0;
    await send(input);
    const asked = gateway.calls.filter(({ method }) => !/^(count|get|list|claim)/.test(method));
    expect(asked).not.toEqual([]);
  });
});
