import type { Language } from '@pulso/contracts/limits';
import type { AccountNotice } from '../store/mail.js';
import { type MailOrder, renderMail } from './render-mail.js';

const PUBLIC_URL = 'https://pulso.example';
const TOKEN = 'k-J8_token';

type AccountKind = 'welcome' | 'account-notice' | 'new-sign-in';

const mail = <K extends AccountKind>(kind: K, language: Language, facts: MailOrder<K>['facts']) =>
  renderMail({ kind, language, facts, name: 'Ana', publicUrl: PUBLIC_URL, unsubscribeToken: 'unsub' });
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

// Rule: MAIL-1, MAIL-3
describe('the welcome of an address that is not verified', () => {
  it.each([
    ['en', 'Confirm your email address', 'If this was not you, you can ignore this mail.'],
    ['es', 'Confirma tu correo electrónico', 'Si no fuiste tú, puedes ignorar este correo.'],
  ] as const)('has the link in %s, and nothing else to do', async (language, label, ignore) => {
    const { html, text } = await mail('welcome', language, { token: TOKEN });
    expect(html).toContain(`href="${PUBLIC_URL}/verify-email?token=${TOKEN}"`);
    for (const part of [html, text]) expect(inOneLine(part)).toContain(ignore);
    expect(html).toContain(label);
    expect(html).not.toContain('/feed');
  });
});

// Rule: MAIL-13
describe('the mail about an account', () => {
  const SAID: Readonly<
    Record<AccountNotice, Record<Language, [subject: string, notYou: string, button: string]>>
  > = {
    verifyEmail: {
      en: [
        'Confirm your email address',
        'If this was not you, you can ignore this mail.',
        'Confirm your email address',
      ],
      es: [
        'Confirma tu correo electrónico',
        'Si no fuiste tú, puedes ignorar este correo.',
        'Confirma tu correo electrónico',
      ],
    },
    resetPassword: {
      en: [
        'Reset your password',
        'If this was not you, you can ignore this mail. Your password stays as it is.',
        'Choose a new password',
      ],
      es: [
        'Restablece tu contraseña',
        'Si no fuiste tú, puedes ignorar este correo. Tu contraseña sigue siendo la misma.',
        'Elegir una contraseña nueva',
      ],
    },
    emailChanged: {
      en: [
        'Your email address was changed',
        'If this was not you, somebody else may use your account. Please tell those who run Pulso at once.',
        '',
      ],
      es: [
        'Cambió tu correo electrónico',
        'Si no fuiste tú, es posible que otra persona use tu cuenta. Avisa cuanto antes a quienes administran Pulso.',
        '',
      ],
    },
    passkeyAdded: {
      en: [
        'A passkey was added to your account',
        'If this was not you, remove the passkey in your settings and change your password.',
        'Open your settings',
      ],
      es: [
        'Se agregó una llave de acceso a tu cuenta',
        'Si no fuiste tú, elimina la llave de acceso en tus ajustes y cambia tu contraseña.',
        'Abrir tus ajustes',
      ],
    },
    passkeyRemoved: {
      en: [
        'A passkey was removed from your account',
        'If this was not you, change your password. That ends all other sessions. Then add the passkey again.',
        'Open your settings',
      ],
      es: [
        'Se eliminó una llave de acceso de tu cuenta',
        'Si no fuiste tú, cambia tu contraseña. Así se cierran todas las demás sesiones. Después agrega de nuevo la llave de acceso.',
        'Abrir tus ajustes',
      ],
    },
    passwordChanged: {
      en: [
        'Your password was changed',
        'If this was not you, choose a new password at once. It signs everybody out and removes all passkeys, yours too.',
        'Choose a new password',
      ],
      es: [
        'Cambió tu contraseña',
        'Si no fuiste tú, elige enseguida una contraseña nueva. Así se cierran todas las sesiones y se eliminan todas las llaves de acceso, también las tuyas.',
        'Elegir una contraseña nueva',
      ],
    },
  };
  const PATHS: Readonly<Record<AccountNotice, string | undefined>> = {
    verifyEmail: `/verify-email?token=${TOKEN}`,
    resetPassword: `/reset-password?token=${TOKEN}`,
    emailChanged: undefined,
    passkeyAdded: '/settings',
    passkeyRemoved: '/settings',
    passwordChanged: '/forgot-password',
  };
  const all = (Object.keys(SAID) as AccountNotice[]).flatMap((notice) =>
    (['en', 'es'] as const).map((language) => [notice, language] as const),
  );

  // Rule: MAIL-3
  it.each(all)('%s has in %s its link and what to do otherwise', async (notice, language) => {
    const [subject, notYou, button] = SAID[notice][language];
    const { html, text, ...written } = await mail('account-notice', language, { notice, token: TOKEN });
    expect(written.subject).toBe(subject);
    for (const part of [html, text]) expect(inOneLine(part)).toContain(notYou);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
    const path = PATHS[notice];
    expect(new Set(links)).toEqual(new Set(path === undefined ? [] : [PUBLIC_URL + path]));
    if (button !== '') expect(html).toContain(button);
  });

  // Rule: ACCT-43
  it.each([
    ['resetPassword', 'en', 'removes your passkeys: add them again in the settings.'],
    ['resetPassword', 'es', 'elimina tus llaves de acceso: agrégalas de nuevo en los ajustes.'],
    ['emailChanged', 'en', 'The next change of the password removes the passkeys that were added before.'],
    ['emailChanged', 'es', 'eliminará las llaves de acceso que se agregaron antes.'],
  ] as const)('%s says in %s which passkeys go', async (notice, language, said) => {
    const { html, text } = await mail('account-notice', language, { notice, token: TOKEN });
    for (const part of [html, text]) expect(inOneLine(part)).toContain(said);
  });

  // Rule: ACCT-9, ACCT-10
  it.each([
    ['en', 'Your account has a new password. All other sessions have ended.'],
    ['es', 'Tu cuenta tiene una contraseña nueva. Se cerraron todas las demás sesiones.'],
  ] as const)('says in %s what has ended with the password, and repeats no token', async (language, said) => {
    const { html, text } = await mail('account-notice', language, {
      notice: 'passwordChanged',
      token: TOKEN,
    });
    for (const part of [html, text]) {
      expect(inOneLine(part)).toContain(said);
      expect(part).not.toContain(TOKEN);
    }
  });

  it('gives its link a token in one piece, whatever is in it', async () => {
    const { html, subject } = await mail('account-notice', 'en', {
      ...{ notice: 'resetPassword', token: 'a&b=c"><img src=x>\r\nBcc: eve' },
    });
    expect(html).toContain('/reset-password?token=a%26b%3Dc%22%3E%3Cimg%20src%3Dx%3E%20Bcc%3A%20eve"');
    expect(html).not.toContain('<img');
    expect(subject).toBe('Reset your password');
  });

  it.each([
    ['en', 'Firefox', 'Linux', 'with Firefox on Linux, which'],
    ['en', 'Firefox', '', 'with Firefox, which'],
    ['en', '', 'Linux', 'with an unknown browser on Linux, which'],
    ['en', '', '', 'with an unknown device, which'],
    ['es', 'Firefox', 'Linux', 'con Firefox en Linux, que'],
    ['es', 'Firefox', '', 'con Firefox, que'],
    ['es', '', 'Linux', 'con un navegador desconocido en Linux, que'],
    ['es', '', '', 'con un dispositivo desconocido, que'],
  ] as const)('names the device of a new sign-in in %s: %j, %j', async (language, browser, system, said) => {
    const at = Date.UTC(2026, 10, 28, 10, 5);
    const text = inOneLine((await mail('new-sign-in', language, { browser, system, at })).text);
    expect(text).toContain(said);
    const time = {
      en: 'on November 28, 2026 at 10:05 (UTC)',
      es: 'el 28 de noviembre de 2026 a las 10:05 (UTC)',
    };
    expect(text).toContain(time[language]);
  });
});
