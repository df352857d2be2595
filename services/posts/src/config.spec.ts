import { ConfigError, loadConfig } from '@pulso/platform/config/load-config';
import { postsConfigSchema } from './config.js';

// RFC 8037, appendix A.
const KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  kid: 'k',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const GOOD = {
  MONGODB_URL: 'mongodb://one:27017,two:27017/posts?replicaSet=rs',
  ACCESS_TOKEN_JWKS: JSON.stringify([KEY]),
  CURSOR_SECRETS: JSON.stringify([{ kid: '1', secret: 's'.repeat(32) }]),
};

describe('posts’ settings', () => {
  it('are read with their defaults', () => {
    expect(loadConfig(postsConfigSchema, GOOD)).toEqual({
      MONGODB_URL: GOOD.MONGODB_URL,
      MONGODB_POOL: 20,
      ACCESS_TOKEN_JWKS: [KEY],
      CURSOR_SECRETS: [{ kid: '1', secret: 's'.repeat(32) }],
    });
  });

  it.each([
    ['MONGODB_URL', 'http://one/posts'],
    ['MONGODB_URL', 'mongodb://one:27017'],
    ['MONGODB_POOL', '0'],
    ['ACCESS_TOKEN_JWKS', 'not json'],
    ['ACCESS_TOKEN_JWKS', '[]'],
    ['CURSOR_SECRETS', '[{"kid":"1","secret":"short"}]'],
  ])('name %s when it is %j', (name, value) => {
    const load = () => loadConfig(postsConfigSchema, { ...GOOD, [name]: value });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(name);
  });
});
