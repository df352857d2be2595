import { afterEach, expect, it } from '@jest/globals';
import { addOutgoing, markFailed, markRetried, outgoingOf, releaseWaiting } from './outbox.js';

afterEach(() => sessionStorage.clear());

const textOf = ({ content }: { content: string }) => content;

// Rule: MSG-8
it('a message that was refused is no longer so once it is on its way again', () => {
  addOutgoing('ben', 'ana', 'Hello');
  addOutgoing('ben', 'ana', 'Are you there?');
  const failure = { failed: 'Not sent.', refused: 'You cannot send messages to this user.' };
  markFailed('ben', failure, () => true);
  markRetried('ben', outgoingOf('ben')[0]!.key);
  for (const one of outgoingOf('ben')) expect([one.failed, one.refused]).toEqual([undefined, undefined]);
  markFailed('ben', { ...failure, waits: true }, () => true);
  releaseWaiting('ben', 'ana');
  for (const one of outgoingOf('ben'))
    expect([one.failed, one.waits, one.refused]).toEqual([undefined, undefined, undefined]);
  expect(outgoingOf('ben').map(textOf)).toEqual(['Hello', 'Are you there?']);
});
