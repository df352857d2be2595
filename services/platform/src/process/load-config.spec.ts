import { z } from 'zod';
import { ConfigError, loadConfig } from './load-config.js';

const schema = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(8080),
  LOG_LEVEL: z.enum(['info', 'debug']).default('info'),
  DATABASE_URL: z.url(),
});

const url = 'postgres://localhost/pulso';

describe('loadConfig', () => {
  it('reads and converts values, and fills in defaults', () => {
    expect(loadConfig(schema, { DATABASE_URL: url, PORT: '9000', UNRELATED: 'x' })).toEqual({
      DATABASE_URL: url,
      PORT: 9000,
      LOG_LEVEL: 'info',
    });
  });

  it('takes an empty string for unset', () => {
    expect(loadConfig(schema, { DATABASE_URL: url, PORT: '', LOG_LEVEL: '' })).toMatchObject({
      PORT: 8080,
      LOG_LEVEL: 'info',
    });
    expect(() => loadConfig(schema, { DATABASE_URL: '' })).toThrow('DATABASE_URL');
  });

  it('names every wrong setting and prints no value', () => {
    const failing = () => loadConfig(schema, { DATABASE_URL: 'p4ssword', PORT: '70000', LOG_LEVEL: 'l0ud' });
    expect(failing).toThrow(ConfigError);
    expect(failing).toThrow(/PORT: .*; LOG_LEVEL: .*; DATABASE_URL: /);
    expect(failing).not.toThrow(/p4ssword|70000|l0ud/);
  });
});
