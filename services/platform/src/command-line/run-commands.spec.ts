import { jest } from '@jest/globals';
import { KafkaJSConnectionError } from 'kafkajs';
import { DomainError } from '../errors/domain-error.js';
import { StartError } from '../process/start-error.js';
import { explanationOf, readInput, runCommands, UsageError } from './run-commands.js';

describe('the explanation of a failed command', () => {
  it('is the message of an error that the operator can fix', () => {
    expect(explanationOf(new UsageError('Name a command.'))).toBe('Name a command.');
    expect(explanationOf(new StartError('PostgreSQL is away'))).toBe('PostgreSQL is away');
    expect(explanationOf(new DomainError('not-found', 'No such post'))).toBe('No such post');
  });

  it.each([
    ['the store', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['Kafka', new KafkaJSConnectionError('Connection timeout')],
  ])('names the lost connection to %s', (_engine, error) => {
    expect(explanationOf(error)).toBe(
      `lost connection to the database, broker or object store (${error.message}); the command is safe to repeat`,
    );
  });

  it('is undefined for a defect', () => {
    expect(explanationOf(new TypeError('x is not a function'))).toBeUndefined();
  });
});

describe('the arguments of a command', () => {
  const command = {
    operands: ['<post>', '[<reason>]'],
    options: {
      by: { type: 'string', value: '<moderator>', required: true },
      json: { type: 'boolean' },
      limit: { type: 'string', default: '50' },
    },
    summary: 'hides a post',
  } as const;

  it('are read as operands and options', () => {
    expect(readInput(command, ['p1', '--by', 'ana', '--json'])).toEqual({
      operands: ['p1'],
      options: { by: 'ana', json: true, limit: '50' },
    });
  });

  it('are as many as are given for an operand of one or more', () => {
    const many = { operands: ['<entity>...'], summary: 'publishes again' };
    expect(readInput(many, ['user', 'contact']).operands).toEqual(['user', 'contact']);
    expect(() => readInput(many, [])).toThrow('Missing argument: <entity>...');
  });

  it.each([
    [['--by', 'ana'], 'Missing argument: <post>'],
    [['p1', 'spam', 'more', '--by', 'ana'], 'Unexpected argument: more'],
    [['p1'], 'Missing option: --by <moderator>'],
    [['p1', '--by', '  '], 'Missing option: --by <moderator>'],
    [['p1', '--by', 'ana', '--loud'], "Unknown option '--loud'"],
  ])('%j are refused', (words, message) => {
    expect(() => readInput(command, words)).toThrow(UsageError);
    expect(() => readInput(command, words)).toThrow(message);
  });
});

// Rule: PEOPLE-43
it('prints users’ texts so that they change nothing around them', async () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const command = { summary: 'shows', run: async () => ['by ana\u202e', '\u001b[2Jone\ntwo'] };
  await runCommands('program', { show: command }, { words: ['show'] });
  const printed = write.mock.calls.map(([text]) => text);
  write.mockRestore();
  expect(printed).toEqual(['by ana\\u202e\n', '\\u001b[2Jone\\u000atwo\n']);
});
