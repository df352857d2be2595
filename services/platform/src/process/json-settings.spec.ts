import { z } from 'zod';
import { cursorSecrets, privateKeys, publicKeys } from './json-settings.js';
import { ConfigError, loadConfig } from './load-config.js';

const schema = z.object({ PRIVATE: privateKeys, PUBLIC: publicKeys, SECRETS: cursorSecrets });
// RFC 8037, appendix A.
const key = {
  kty: 'OKP',
  crv: 'Ed25519',
  kid: 'k',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
const values = {
  PRIVATE: [{ ...key, d }],
  PUBLIC: [key],
  SECRETS: [{ kid: '1', secret: 's'.repeat(32) }],
};
const good = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

describe('settings written as JSON', () => {
  it('are read', () => {
    expect(loadConfig(schema, good)).toEqual(values);
  });

  it('are also read from a JWK set', () => {
    const set = { ...good, PUBLIC: JSON.stringify({ keys: values.PUBLIC }) };
    expect(loadConfig(schema, set)).toEqual(values);
  });

  it.each([
    ['PRIVATE', 'not json'],
    ['PRIVATE', JSON.stringify([{ ...key, d: 'short' }])],
    ['PUBLIC', JSON.stringify([{ ...key, x: 'short' }])],
    ['PUBLIC', JSON.stringify([{ ...key, crv: 'Ed448' }])],
    ['PRIVATE', JSON.stringify([{ ...key, d, x: undefined }])],
    ['PRIVATE', JSON.stringify([{ ...key, d, x: `A${key.x.slice(1)}` }])],
    ['PRIVATE', JSON.stringify([values.PRIVATE[0], values.PRIVATE[0]])],
    ['PUBLIC', JSON.stringify([key, key])],
    ['SECRETS', JSON.stringify([values.SECRETS[0], { ...values.SECRETS[0], secret: 'o'.repeat(32) }])],
    ['PRIVATE', '{}'],
    ['PRIVATE', JSON.stringify(values.PUBLIC)],
    ['PUBLIC', '[]'],
    ['PUBLIC', JSON.stringify([{ ...key, kty: 'RSA' }])],
    ['SECRETS', '[{"kid":"1","secret":"short"}]'],
    ['SECRETS', JSON.stringify([{ ...values.SECRETS[0], more: 1 }])],
  ])('name %s when it is %j, without its value', (name, value) => {
    const load = () => loadConfig(schema, { ...good, [name]: value });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(name);
    expect(load).not.toThrow('short');
  });
});
