import { generateSigningKey } from '@pulso/platform/auth/access-token';
import { generateSealingKey, publicSealingKey } from '@pulso/platform/auth/sealed-message';
import { loadConfig } from '@pulso/platform/process/load-config';
import { settingsFrom } from '@pulso/platform/process/settings';
import { z } from 'zod';
import { MailSettings, smtpTargetOf } from './mail-settings.js';

const SEALING_KEY = await generateSealingKey();
const OPENING_KEYS = JSON.stringify([SEALING_KEY]);
const SIGNING_KEYS = JSON.stringify([await generateSigningKey()]);

const read = (env: Record<string, string>) => {
  const values = loadConfig(z.object(MailSettings.shape), {
    ...{ PUBLIC_URL: 'https://pulso.example/', MAIL_OPENING_KEYS: OPENING_KEYS },
    ...env,
  });
  return settingsFrom(MailSettings, values) as MailSettings;
};
const SMTP = {
  SMTP_URL: 'smtps://me:pass%40word@mail.example:465',
  MAIL_FROM: 'Pulso <no-reply@pulso.example>',
};
const KEY = '-----BEGIN PRIVATE KEY-----\\nabc\\n-----END PRIVATE KEY-----';

describe('the settings of mail', () => {
  it('name the mail server and the sender', () => {
    expect(smtpTargetOf(read(SMTP))).toEqual({
      url: SMTP.SMTP_URL,
      requiresTls: true,
      from: { name: 'Pulso', address: 'no-reply@pulso.example' },
      dkim: undefined,
    });
    expect(smtpTargetOf(read({ ...SMTP, MAIL_FROM: 'me@pulso.example' })).from).toEqual({
      name: '',
      address: 'me@pulso.example',
    });
    expect(read(SMTP).PUBLIC_URL).toBe('https://pulso.example');
  });

  it.each([
    ['smtp://mail.example', true],
    ['smtp://10.0.0.1:2525', true],
    ['smtp://127.0.0.1.mail.example', true],
    ['smtp://[2001:db8::1]', true],
    ['smtp://me:password@localhost', true],
    ['smtps://localhost', true],
    ['smtp://localhost:1025', false],
    ['smtp://127.0.0.1', false],
    ['smtp://[::1]:1025', false],
  ])('say of %s whether TLS is required: %s', (url, requiresTls) => {
    expect(smtpTargetOf(read({ ...SMTP, SMTP_URL: url }))).toMatchObject({ requiresTls });
  });

  it.each([
    ['SMTP_URL', { MAIL_FROM: SMTP.MAIL_FROM }],
    ['MAIL_FROM', { SMTP_URL: SMTP.SMTP_URL }],
    ['MAIL_DKIM_KEY', { ...SMTP, MAIL_DKIM_DOMAIN: 'pulso.example', MAIL_DKIM_SELECTOR: 'mail' }],
  ])('are refused without %s', (name, env: Record<string, string>) => {
    expect(() => smtpTargetOf(read(env))).toThrow(name);
  });

  it.each([
    ['SMTP_URL', 'https://mail.example'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'Pulso <a@b.example>, Other <c@d.example>'],
    ['MAIL_FROM', 'Pulso\r\nBcc: x <a@b.example>'],
    ['PUBLIC_URL', 'ftp://pulso.example'],
    ['MAIL_TRANSPORT', 'pigeon'],
    ['MAIL_DKIM_KEY', 'secret'],
    ['MAIL_OPENING_KEYS', '[]'],
    ['MAIL_OPENING_KEYS', JSON.stringify([publicSealingKey(SEALING_KEY)])],
    ['MAIL_OPENING_KEYS', SIGNING_KEYS],
  ])('refuse %s=%j', (name, value) => {
    expect(() => read({ ...SMTP, [name]: value })).toThrow(name);
  });

  it('take a DKIM key on one line', () => {
    const dkim = { MAIL_DKIM_DOMAIN: 'pulso.example', MAIL_DKIM_SELECTOR: 'mail', MAIL_DKIM_KEY: KEY };
    expect(smtpTargetOf(read({ ...SMTP, ...dkim })).dkim).toEqual({
      domainName: 'pulso.example',
      keySelector: 'mail',
      privateKey: KEY.replaceAll('\\n', '\n'),
    });
  });
});
