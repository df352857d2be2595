import { z } from 'zod';
import { storeShape } from '../service/service-settings.js';
import { cursorSecrets, privateKeys, publicKeys } from './json-settings.js';
import { isSecret, secret } from './secret.js';

describe('a setting', () => {
  it('is secret where it is marked, and reads the same', () => {
    const word = secret(z.string().min(3).optional());
    expect(isSecret(word)).toBe(true);
    expect(word.parse('word')).toBe('word');
    expect(word.safeParse('wo').success).toBe(false);
    expect(isSecret(z.string())).toBe(false);
  });

  it('with private keys, secrets or the password of a store is marked', () => {
    const store = storeShape({
      name: 'gym',
      store: { url: z.string(), defaultPool: 1 } as never,
    });
    const shape = { ...store, privateKeys, cursorSecrets, publicKeys };
    const marked = Object.entries(shape).filter(([, schema]) => isSecret(schema));
    expect(marked.map(([name]) => name)).toEqual(['GYM_DATABASE_URL', 'privateKeys', 'cursorSecrets']);
  });
});
