import { readSettings } from './settings.js';

describe('the launcher’s settings', () => {
  it('have defaults for everything', () => {
    expect(readSettings({})).toMatchObject({
      port: 8080,
      seed: 'demo',
      publicUrl: 'http://localhost:8080',
      trustedProxies: 0,
      rateLimitFactor: 1,
      payments: 'none',
      simulatorPort: 0,
      maxEventLoopDelayMs: 200,
      maxConnections: 10_000,
      maxPageRenders: 4,
      stopDeadlineMs: 4_000,
      logLevel: 'warn',
    });
  });

  it('report every wrong one by name, without its value', () => {
    const wrong = () => readSettings({ PORT: '99999', PULSO_SEED: 'prod', PUBLIC_URL: 'ftp://secret' });
    expect(wrong).toThrow(
      /PORT: .*PULSO_SEED: must be demo or none.*PUBLIC_URL: must be an http or https URL/,
    );
    expect(wrong).not.toThrow(/secret/);
  });

  it.each([
    ['STOP_DEADLINE_MS', 'soon'],
    ['STOP_DEADLINE_MS', '999'],
    ['MAX_EVENT_LOOP_DELAY_MS', '-1'],
    ['MAX_CONNECTIONS', '9'],
    ['MAX_PAGE_RENDERS', '-1'],
    ['TRUSTED_PROXIES', '-1'],
    ['TRUSTED_PROXIES', '11'],
    ['TRUSTED_PROXIES', '1.5'],
    ['TRUSTED_PROXIES', 'nginx'],
    ['SIMULATOR_PORT', 'free'],
  ])('refuse %s=%s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(`${name}: must be`);
  });

  it('do not let production switch the rate limits off', () => {
    expect(() => readSettings({ NODE_ENV: 'production', RATE_LIMIT_FACTOR: '0' })).toThrow(
      /RATE_LIMIT_FACTOR: 0 switches/,
    );
    expect(readSettings({ RATE_LIMIT_FACTOR: '0' }).rateLimitFactor).toBe(0);
  });

  // Rule: DEMO-1
  it('let nobody sign in to production with a password that is public', () => {
    const production = { NODE_ENV: 'production', PAYMENTS: 'none' };
    expect(readSettings(production).seed).toBe('none');
    expect(readSettings({ ...production, PULSO_SEED: 'none' }).seed).toBe('none');
    expect(() => readSettings({ ...production, PULSO_SEED: 'demo' })).toThrow(
      'PULSO_SEED: demo has accounts whose password is public, which production refuses',
    );
  });

  // Rule: SUBS-1
  it('want production to say who takes the money, and no simulator for it', () => {
    expect(() => readSettings({ NODE_ENV: 'production' })).toThrow('PAYMENTS: must be set');
    expect(readSettings({ NODE_ENV: 'production', PAYMENTS: 'none' }).payments).toBe('none');
    for (const PAYMENTS of ['stripe', 'simulator']) {
      expect(readSettings({ PAYMENTS }).payments).toBe(PAYMENTS);
    }
    expect(() => readSettings({ NODE_ENV: 'production', PAYMENTS: 'simulator' })).toThrow(
      'PAYMENTS: simulator takes no money, which production refuses',
    );
    expect(() => readSettings({ PAYMENTS: 'free' })).toThrow('PAYMENTS: must be none');
  });

  it('accept an origin for PUBLIC_URL, without a path', () => {
    expect(readSettings({ PUBLIC_URL: 'HTTPS://Pulso.example/' }).publicUrl).toBe('https://pulso.example');
    expect(() => readSettings({ PUBLIC_URL: 'https://pulso.example/app' })).toThrow(
      /PUBLIC_URL: must be an origin/,
    );
  });

  // Rule: LIMIT-14
  it('say how many proxies are in front', () => {
    expect(readSettings({ TRUSTED_PROXIES: '2' }).trustedProxies).toBe(2);
  });

  it('treat an empty variable as unset', () => {
    expect(readSettings({ PORT: '' }).port).toBe(8080);
  });
});
