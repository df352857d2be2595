import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { ConfigError } from '@pulso/platform/process/load-config';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { readGatewayConfig, rpcUrlSetting } from './config.js';

// RFC 8037, appendix A.
const jwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'k1',
};
const secret = { kid: 's1', secret: 'a secret of thirty-two characters' };

/** The address of each service, by the name of its setting. */
const rpcUrls = (urlOf: (name: ServiceName) => string) =>
  Object.fromEntries(SERVICE_NAMES.map((name) => [rpcUrlSetting(name), urlOf(name)]));

const env = {
  PUBLIC_URL: 'HTTPS://Pulso.example/',
  ACCESS_TOKEN_JWKS: JSON.stringify({ keys: [jwk] }),
  PULSO_AFTER_SECRETS: JSON.stringify([secret]),
  ...rpcUrls((name) => `${name}:50051`),
  POSTS_RPC_URL: '127.0.0.1:7001,127.0.0.1:7002',
  MEDIA_BYTES_URL: 'http://media:8080/',
  REDIS_URL: 'redis://redis:6379',
};

describe('readGatewayConfig', () => {
  it('reads settings, with defaults', () => {
    expect(readGatewayConfig(env)).toMatchObject({
      PORT: 8080,
      PUBLIC_URL: 'https://pulso.example',
      ACCESS_TOKEN_JWKS: [jwk],
      PULSO_AFTER_SECRETS: [secret],
      ...rpcUrls((name) => `${name}:50051`),
      POSTS_RPC_URL: '127.0.0.1:7001,127.0.0.1:7002',
      MEDIA_BYTES_URL: 'http://media:8080',
      REDIS_URL: 'redis://redis:6379',
      RATE_LIMIT_FACTOR: 1,
      MAX_EVENT_LOOP_DELAY_MS: 200,
      MAX_CONNECTIONS: 10_000,
      MAX_PAGE_RENDERS: 4,
      MARKETING_PROFESSIONALS: '500+',
      MARKETING_TOP_COACH_EARNINGS: '5k+',
    });
    expect(readGatewayConfig(env).STATIC_DIR).toBeUndefined();
  });

  it('hands on what every process is told', () => {
    const told = {
      LOG_LEVEL: 'warn',
      OPERATIONS_PORT: '9091',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
    };
    expect(readGatewayConfig({ ...env, ...told })).toMatchObject({ ...told, OPERATIONS_PORT: 9091 });
  });

  it.each(['/nosuch', fileURLToPath(import.meta.url), tmpdir()])(
    'takes no STATIC_DIR without a frontend: %s',
    (path) => {
      expect(() => readGatewayConfig({ ...env, STATIC_DIR: path })).toThrow(
        /STATIC_DIR: must be a directory/,
      );
    },
  );

  it('takes no STATIC_DIR with a part of a built frontend', () => {
    const directory = mkdtempSync(join(tmpdir(), 'pulso-static-'));
    onTestEnd(() => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, 'index.html'), '');
    const read = () => readGatewayConfig({ ...env, STATIC_DIR: directory });
    expect(read).toThrow(/STATIC_DIR: must be a directory/);
    writeFileSync(join(directory, 'page-links.json'), '{}');
    expect(read).not.toThrow();
  });

  it.each([
    ['OTEL_TRACES_SAMPLER', 'bogus'],
    ['OTEL_TRACES_SAMPLER_ARG', 'abc'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('refuses what OpenTelemetry would pass over: %s=%s', (name, value) => {
    expect(() => readGatewayConfig({ ...env, [name]: value })).toThrow(`${name}: must be`);
    const known = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
    expect(() => readGatewayConfig({ ...env, ...known })).not.toThrow();
  });

  it.each(['', '/', '/2', '/2?family=4', '?db=1'])('takes a database of Redis: %s', (database) => {
    const url = `rediss://u:p%2F@redis:1${database}`;
    expect(readGatewayConfig({ ...env, REDIS_URL: url }).REDIS_URL).toBe(url);
  });

  it('takes a plain list of keys, too', () => {
    const config = readGatewayConfig({ ...env, ACCESS_TOKEN_JWKS: JSON.stringify([jwk]), PORT: '0' });
    expect([config.ACCESS_TOKEN_JWKS, config.PORT]).toEqual([[jwk], 0]);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'abc'],
    ['PUBLIC_URL', 'ftp://x'],
    ['PUBLIC_URL', 'https://pulso.example/app'],
    ['PUBLIC_URL', 'https://ana@pulso.example'],
    ['ACCESS_TOKEN_JWKS', '{'],
    ['ACCESS_TOKEN_JWKS', '[]'],
    ['PULSO_AFTER_SECRETS', '[{"kid":"s1","secret":"short"}]'],
    ['RATE_LIMIT_FACTOR', '-1'],
    ['MAX_EVENT_LOOP_DELAY_MS', '-1'],
    ['MAX_EVENT_LOOP_DELAY_MS', 'soon'],
    ['MAX_CONNECTIONS', '9'],
    ['MAX_CONNECTIONS', 'many'],
    ['MAX_PAGE_RENDERS', '-1'],
    ['MAX_PAGE_RENDERS', '101'],
    ['MAX_PAGE_RENDERS', 'few'],
    ['TRUSTED_PROXIES', '1.5'],
    ['POSTS_RPC_URL', 'posts'],
    ['REDIS_URL', 'http://redis'],
    ['REDIS_URL', 'redis://redis/abc'],
    ['REDIS_URL', ''],
  ])('refuses %s=%s by its name', (name, value) => {
    expect(() => readGatewayConfig({ ...env, [name]: value })).toThrow(ConfigError);
    expect(() => readGatewayConfig({ ...env, [name]: value })).toThrow(name);
  });

  // Rule: LIMIT-1
  it('refuses to switch rate limits off in production', () => {
    const off = { ...env, RATE_LIMIT_FACTOR: '0' };
    expect(readGatewayConfig(off).RATE_LIMIT_FACTOR).toBe(0);
    expect(() => readGatewayConfig({ ...off, NODE_ENV: 'production' })).toThrow('RATE_LIMIT_FACTOR');
  });

  // Rule: SUBS-1
  it('must be told in production who takes the money, which the simulator does not', () => {
    const production = { ...env, NODE_ENV: 'production' };
    expect(readGatewayConfig({ ...production, PAYMENTS: 'none' }).PAYMENTS).toBe('none');
    expect(() => readGatewayConfig(production)).toThrow('PAYMENTS: must be set with NODE_ENV=production');
    for (const PAYMENTS of ['none', 'stripe', 'simulator'])
      expect(readGatewayConfig({ ...env, PAYMENTS }).PAYMENTS).toBe(PAYMENTS);
    expect(readGatewayConfig({ ...production, PAYMENTS: 'stripe' }).PAYMENTS).toBe('stripe');
    expect(() => readGatewayConfig({ ...production, PAYMENTS: 'simulator' })).toThrow(
      'PAYMENTS: simulator takes no money',
    );
    for (const PAYMENTS of ['None', 'free']) {
      expect(() => readGatewayConfig({ ...env, PAYMENTS })).toThrow('PAYMENTS: must be none');
    }
  });
});
