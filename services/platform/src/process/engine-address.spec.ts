import { reaching, redactUrl } from './engine-address.js';
import { StartError } from './start-error.js';

describe('an engine’s URL', () => {
  it.each([
    ['postgres://pulso:s3cret@db:5432/identity?sslpassword=s3cret', 'postgres://pulso:***@db:5432/identity'],
    ['mongodb://user:s3cret@a:1,b:2/posts?replicaSet=x', 'mongodb://user:***@a:1,b:2/posts'],
    ['redis://:s3cret@redis:6379/2', 'redis://:***@redis:6379/2'],
    ['redis://user@redis', 'redis://user@redis'],
    ['postgres://user:p@ss@db/identity', 'postgres://user:***@db/identity'],
    ['broker-1:9092,broker-2:9092', 'broker-1:9092,broker-2:9092'],
  ])('is shown without secrets: %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown);
  });
});

describe('what cannot be reached', () => {
  const failing = (url: string, error: unknown) =>
    reaching('STORE_URL', url, () => Promise.reject(error as Error)).catch((thrown: unknown) => thrown);

  it('is told with setting, place and reason', async () => {
    const error = await failing('redis://r', new Error('connect ECONNREFUSED\n  at some depth'));
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toBe('STORE_URL: redis://r cannot be used: connect ECONNREFUSED');
  });

  it('is told with the first reason where several addresses were tried', async () => {
    const error = await failing('redis://r', new AggregateError([new Error('refused by ::1')], ''));
    expect((error as Error).message).toContain('refused by ::1');
  });

  it('is told without the password, as written or as meant', async () => {
    const url = 'mongodb://u:p%40ss@db/x';
    for (const said of ['bad login u:p%40ss', 'bad login p@ss']) {
      expect((await failing(url, new Error(said))) as Error).toMatchObject({
        message: expect.not.stringMatching(/p%40ss|p@ss/),
      });
    }
  });

  it('is told without a password that is not escaped as it should be', async () => {
    for (const password of ['50%off', 'p@ss']) {
      const error = await failing(`postgres://u:${password}@db/x`, new Error(`bad login u:${password}`));
      expect((error as Error).message).toBe(
        'STORE_URL: postgres://u:***@db/x cannot be used: bad login u:***',
      );
    }
  });

  it('keeps a reason that is clear already', async () => {
    const clear = new StartError('STORE_URL: has no schema yet.');
    expect(await failing('redis://r', clear)).toBe(clear);
  });
});
