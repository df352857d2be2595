import { inContext } from '../../testing/context.js';
import { DomainError } from '../errors/domain-error.js';
import { createLogger, type LogLevel } from './logger.js';
import { NestLogger } from './nest-logger.js';

function capture(level: LogLevel = 'info', pretty = false) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'posts', level, pretty, destination });
  return { logger, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('createLogger', () => {
  it('writes JSON with service, level and time', () => {
    const { logger, entries } = capture();
    logger.info({ port: 1 }, 'started');
    expect(entries()).toEqual([
      {
        service: 'posts',
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        port: 1,
        msg: 'started',
      },
    ]);
  });

  it('adds the id of the request being handled', () => {
    const { logger, entries } = capture();
    inContext(null, () => logger.info('inside'));
    logger.info('outside');
    expect(entries().map((entry) => entry.requestId)).toEqual(['request-1', undefined]);
  });

  it('redacts secrets at every level', () => {
    const { logger, lines } = capture();
    const secrets = {
      authorization: 'hush',
      cookie: 'hush',
      'set-cookie': 'hush',
      password: 'hush',
      currentPassword: 'hush',
      token: 'hush',
      accessToken: 'hush',
      refreshToken: 'hush',
    };
    logger.info({ ...secrets, body: secrets, request: { headers: secrets } }, 'in');
    expect(lines.join()).not.toContain('hush');
    expect(lines.join()).toContain('[redacted]');
  });

  it("logs an error's code but none of its other fields", () => {
    const { logger, lines, entries } = capture();
    const failed = Object.assign(new Error('query failed'), { code: '23505', parameters: ['hush'] });
    logger.error({ err: failed }, 'oops');
    logger.error({ err: new DomainError('username-taken', 'Taken') }, 'oops');
    expect(lines.join()).not.toContain('hush');
    expect(entries().map((entry) => entry.err)).toEqual([
      expect.objectContaining({ code: '23505', message: 'query failed', stack: expect.any(String) }),
      expect.objectContaining({ code: 'username-taken', kind: 'conflict' }),
    ]);
  });

  it('writes readable lines with `pretty`', () => {
    const { logger, lines } = capture('info', true);
    logger.warn({ lag: 3, topic: 't' }, 'behind');
    logger.error({ err: new Error('boom') }, 'failed');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d WARN posts: behind lag=3 topic=t\n$/);
    expect(lines[1]).toMatch(/ERROR posts: failed\nError: boom\n {4}at /);
  });
});

describe('NestLogger', () => {
  it("keeps Nest's start-up messages at debug", () => {
    const { logger, entries } = capture();
    const nest = new NestLogger(logger);
    nest.log('Module initialized', 'InstanceLoader');
    nest.warn('careful', 'Router');
    nest.error('broke', 'Error: stack', 'Handler');
    nest.error(new Error('thrown'), 'Handler');
    expect(entries()).toEqual([
      expect.objectContaining({ level: 'warn', msg: 'careful', context: 'Router' }),
      expect.objectContaining({ level: 'error', msg: 'broke', stack: 'Error: stack', context: 'Handler' }),
      expect.objectContaining({ level: 'error', msg: 'thrown', err: expect.anything() }),
    ]);
  });
});
