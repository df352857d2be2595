import { loadConfig } from '@pulso/platform/process/load-config';
import { z } from 'zod';
import { checkOpenid, openidShape } from './openid-settings.js';

const read = (env: Record<string, string>) => {
  const values = loadConfig(z.object(openidShape), env);
  checkOpenid(values);
  return values;
};

// Rule: ACCT-42
describe('the settings of an OpenID provider', () => {
  it('are of Google unless another issuer is given, and of none without a client', () => {
    expect(read({})).toEqual({ OPENID_ISSUER: 'https://accounts.google.com' });
  });

  it.each([
    'https://login.example.com/realms/gym',
    'http://localhost:8090',
    'http://127.0.0.1:8090',
    'http://[::1]:8090',
  ])('take the issuer %s', (OPENID_ISSUER) => {
    expect(read({ OPENID_ISSUER }).OPENID_ISSUER).toBe(OPENID_ISSUER);
  });

  it.each([
    'http://login.example.com',
    'http://127.0.0.1.example.com',
    'ftp://localhost',
    'login.example.com',
    'https://login.example.com/?realm=gym',
    'https://login.example.com/#gym',
  ])('refuse the issuer %s', (OPENID_ISSUER) => {
    expect(() => read({ OPENID_ISSUER })).toThrow(/OPENID_ISSUER: must /);
  });

  it('refuse a client without a secret, and a secret without a client', () => {
    expect(() => read({ OPENID_CLIENT_ID: 'pulso' })).toThrow('OPENID_CLIENT_SECRET: must be set');
    expect(() => read({ OPENID_CLIENT_SECRET: 'secret' })).toThrow('OPENID_CLIENT_ID: must be set');
  });
});
