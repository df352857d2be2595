import { KafkaJSConnectionError } from 'kafkajs';
import { StartError } from './start-error.js';
import { explanationOf, UsageError } from './run-commands.js';

describe('what an operator is told of a command that failed', () => {
  it('is the message where they can mend it', () => {
    expect(explanationOf(new UsageError('A noun is needed.'))).toBe('A noun is needed.');
    expect(explanationOf(new StartError('PostgreSQL is away'))).toBe('PostgreSQL is away');
  });

  it.each([
    ['the store', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['Kafka', new KafkaJSConnectionError('Connection timeout')],
  ])('is that %s was lost on the way', (_engine, error) => {
    expect(explanationOf(error)).toBe(
      `an engine was lost on the way (${error.message}); the command is safe to repeat`,
    );
  });

  it('is nothing of a mistake of ours', () => {
    expect(explanationOf(new TypeError('x is not a function'))).toBeUndefined();
  });
});
