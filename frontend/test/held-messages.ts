import { expect } from '@jest/globals';
import { act, waitFor } from '@testing-library/react';
import type { Message } from '../src/api/types.js';
import { aMessage } from './a-conversation.js';
import type { FakeGateway } from './fake-gateway.js';

/** A message from Ben to Ana, as the gateway answers it. */
export const fromBen = (content: string): Message =>
  aMessage({ id: `own-${content}`, senderId: 'ben', receiverId: 'ana', content });

type Answer = (content: string) => Message | Response;

/** POST /api/messages, of which each call is answered when the test says so. */
export function heldMessages(gateway: FakeGateway) {
  /** What was sent, also what was lost. */
  const sent: { key: string | null; token: string | null; content: string }[] = [];
  const held: (() => void)[] = [];
  const answering = (answer: Answer) =>
    gateway.on('POST /api/messages', async (request) => {
      const { content } = (await request.json()) as { content: string };
      const { headers } = request;
      sent.push({ key: headers.get('Idempotency-Key'), token: headers.get('Authorization'), content });
      await new Promise<void>((resolve) => held.push(resolve));
      return answer(content);
    });
  /** Answers the call with this number; the first one is 1. */
  const answerNext = async (number: number) => {
    await waitFor(() => expect(held).toHaveLength(number));
    await act(async () => held[number - 1]!());
  };
  return { sent, answering, answerNext, contents: () => sent.map(({ content }) => content) };
}
