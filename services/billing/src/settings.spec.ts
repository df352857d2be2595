import { loadConfig } from '@pulso/platform/process/load-config';
import { settingsFrom } from '@pulso/platform/process/settings';
import { z } from 'zod';
import { BillingSettings } from './settings.js';

const read = (env: Record<string, string>) =>
  settingsFrom(BillingSettings, loadConfig(z.object(BillingSettings.shape), env));

// Rule: SUBS-1
describe('PAYMENTS', () => {
  it('is none, and need not be said in development', () => {
    expect(read({ PAYMENTS: 'none', NODE_ENV: 'production' })).toMatchObject({ PAYMENTS: 'none' });
    expect(read({}).constructor).toBe(BillingSettings);
  });

  it('must be said in production', () => {
    expect(() => read({ NODE_ENV: 'production' })).toThrow('PAYMENTS: must be set');
    expect(() => read({ NODE_ENV: 'production', PAYMENTS: '' })).toThrow('PAYMENTS: must be set');
  });

  it('names no provider yet', () => {
    expect(() => read({ PAYMENTS: 'stripe' })).toThrow('PAYMENTS: this version has no payment provider yet');
    expect(() => read({ PAYMENTS: 'simulator' })).toThrow(
      'PAYMENTS: this version has no payment provider yet',
    );
    expect(() => read({ PAYMENTS: 'free' })).toThrow('PAYMENTS: must be none');
  });
});
