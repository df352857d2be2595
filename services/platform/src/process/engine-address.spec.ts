import { createConnection } from 'mongoose';
import { Client } from 'pg';
import { createLogger } from '../logging/logger.js';
import { connectRedis } from '../redis/redis.js';
import { connectOrExplain, redactUrl } from './engine-address.js';
import { StartError } from './start-error.js';

const decodedOrNot = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The errors of the product's drivers for a URL at which nothing listens. */
async function driving(url: string): Promise<void> {
  if (url.startsWith('mongodb')) {
    const connection = createConnection(url, { serverSelectionTimeoutMS: 50 });
    try {
      await connection.asPromise();
    } finally {
      await connection.destroy();
    }
  } else if (url.startsWith('postgres')) await new Client({ connectionString: url }).connect();
  else await connectRedis(url, createLogger({ service: 'test', level: 'silent' }));
}

describe('an engine’s URL', () => {
  it.each([
    ['postgres://pulso:s3cret@db:5432/identity?sslpassword=s3cret', 'postgres://pulso:***@db:5432/identity'],
    ['mongodb://user:s3cret@a:1,b:2/posts?replicaSet=x', 'mongodb://user:***@a:1,b:2/posts'],
    ['redis://:s3cret@redis:6379/2', 'redis://:***@redis:6379/2'],
    ['redis://user@redis', 'redis://user@redis'],
    ['postgres://user:p@ss@db/identity', 'postgres://user:***@db/identity'],
    ['broker-1:9092,broker-2:9092', 'broker-1:9092,broker-2:9092'],
    ['redis://redis/2?password=s3cret@x', 'redis://***'],
    ['redis://:s3/cr#et@redis:6379/2', 'redis://***'],
    ['u:s3cret@redis', 'u:***@redis'],
    ['mongodb://u:s3cretpw/db', 'mongodb://***'],
    ['mongodb://u:s3cretpw', 'mongodb://***'],
    ['redis://[::1]:6379/2', 'redis://[::1]:6379/2'],
    ['mongodb://a:1,b:2/posts', 'mongodb://a:1,b:2/posts'],
  ])('is shown without secrets: %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown);
  });
});

describe('an engine that cannot be reached', () => {
  const failing = (url: string, error: unknown) =>
    connectOrExplain('STORE_URL', url, () => Promise.reject(error as Error)).catch(
      (thrown: unknown) => thrown,
    );

  it('is reported with setting, address and reason', async () => {
    const error = await failing('redis://r', new Error('connect ECONNREFUSED\n  at some depth'));
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toBe('STORE_URL: redis://r cannot be used: connect ECONNREFUSED');
  });

  it('is reported with the first reason if several addresses were tried', async () => {
    const error = await failing('redis://r', new AggregateError([new Error('refused by ::1')], ''));
    expect((error as Error).message).toContain('refused by ::1');
  });

  it('is reported without the password, escaped or not', async () => {
    const url = 'mongodb://u:p%40ss@db/x';
    for (const said of ['bad login u:p%40ss', 'bad login p@ss']) {
      expect((await failing(url, new Error(said))) as Error).toMatchObject({
        message: expect.not.stringMatching(/p%40ss|p@ss/),
      });
    }
  });

  it('is reported without the password of a URL that lacks its host', async () => {
    const error = await failing('mongodb://u:s3cretpw/db', new Error('no such host u:s3cretpw'));
    expect((error as Error).message).not.toContain('s3cretpw');
  });

  it('is reported without a password that is not properly escaped', async () => {
    for (const password of ['50%off', 'p@ss']) {
      const error = await failing(`postgres://u:${password}@db/x`, new Error(`bad login u:${password}`));
      expect((error as Error).message).toBe(
        'STORE_URL: postgres://u:***@db/x cannot be used: bad login u:***',
      );
    }
  });

  const urls = [
    (password: string) => `mongodb://u:${password}@127.0.0.1:1,127.0.0.1:2/db?replicaSet=x`,
    (password: string) => `postgres://u:${password}@127.0.0.1:1/db?connect_timeout=1`,
    (password: string) => `redis://:${password}@127.0.0.1:1/2`,
    (password: string) => `redis://127.0.0.1:1/2?password=${password}`,
  ];
  it.each(['/', '?', '#', '@', ':', '//', '%2F', '%', '&', '=', ' ', '?a=/#@', '://', '@host/db?x='])(
    'is reported without any part of a password that contains %j',
    async (mark) => {
      for (const urlOf of urls) {
        for (const password of [`abcTOP${mark}SECRET`, `${mark}abcTOPSECRET`, `abcTOPSECRET${mark}`]) {
          const url = urlOf(password);
          const cut = [url, ...url.split(/[/?#@]/), decodedOrNot(url), decodedOrNot(password)];
          expect(redactUrl(url)).not.toMatch(/TOP|SECRET/);
          for (const said of [...cut, new Error(`Invalid: ${cut.join(' ')}`)]) {
            const error = (await failing(url, said)) as Error;
            expect(error.message).not.toMatch(/TOP|SECRET/);
          }
        }
      }
    },
  );

  it.each(urls.slice(0, 3))(
    'is reported without a password that its driver cuts into pieces: %#',
    async (urlOf) => {
      for (const password of ['abc/SECRET', 'abc?SECRET', 'abc#SECRET', '12/SECRET', 'a@SECRET']) {
        const url = urlOf(password);
        const said = await connectOrExplain('STORE_URL', url, () => driving(url)).catch(
          (error: unknown) => error,
        );
        expect((said as Error).message).toMatch(/^STORE_URL: /);
        expect((said as Error).message).not.toMatch(/SECRET/);
      }
    },
  );

  it('keeps a StartError unchanged', async () => {
    const clear = new StartError('STORE_URL: has no schema yet.');
    expect(await failing('redis://r', clear)).toBe(clear);
  });
});
