import { z } from 'zod';
import { cursorSecrets, privateKeys, publicKeys } from './json-settings.js';
import { ConfigError, loadConfig } from './load-config.js';

const schema = z.object({ PRIVATE: privateKeys, PUBLIC: publicKeys, SECRETS: cursorSecrets });
const key = { kty: 'OKP', crv: 'Ed25519', kid: 'k' };
const values = {
  PRIVATE: [{ ...key, x: 'x', d: 'd' }],
  PUBLIC: [{ ...key, x: 'x' }],
  SECRETS: [{ kid: '1', secret: 's'.repeat(32) }],
};
const good = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

describe('settings written as JSON', () => {
  it('are read', () => {
    expect(loadConfig(schema, good)).toEqual(values);
  });

  it.each([
    ['PRIVATE', 'not json'],
    ['PRIVATE', '{}'],
    ['PRIVATE', JSON.stringify(values.PUBLIC)],
    ['PUBLIC', '[]'],
    ['PUBLIC', JSON.stringify([{ ...key, kty: 'RSA', x: 'x' }])],
    ['SECRETS', '[{"kid":"1","secret":"short"}]'],
    ['SECRETS', JSON.stringify([{ ...values.SECRETS[0], more: 1 }])],
  ])('name %s when it is %j, without its value', (name, value) => {
    const load = () => loadConfig(schema, { ...good, [name]: value });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(name);
    expect(load).not.toThrow('short');
  });
});
