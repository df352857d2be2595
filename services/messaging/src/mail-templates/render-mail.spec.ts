import type { Language } from '@pulso/contracts/limits';
import type { MailKind, PaymentNotice } from '../store/mail.js';
import { renderMail } from './render-mail.js';
import type { TemplateFacts } from './template-facts.js';

const PUBLIC_URL = 'https://pulso.example';

const TOKEN = 'k-J8_token';

const PAYMENT = {
  ...{ coachName: 'Coach Carla', coachUsername: 'coach-carla', amountMinor: 40_000, currency: 'MXN' },
  until: Date.UTC(2026, 11, 20, 23, 59),
};

const FACTS: { readonly [K in MailKind]: TemplateFacts[K] } = {
  welcome: { token: '' },
  'account-notice': { notice: 'verifyEmail', token: TOKEN },
  'new-sign-in': { browser: 'Firefox', system: 'Linux', at: Date.UTC(2026, 10, 28, 10, 5) },
  'subscription-confirmed': { coachName: 'Coach Carla', coachUsername: 'coach-carla' },
  'new-subscriber': { subscriberName: 'Mia Member', subscriberUsername: 'mia' },
  'moderation-decision': { subject: 'post', isHidden: true, reason: 'harassment' },
  'payment-notice': { notice: 'failed', ...PAYMENT },
};
const KINDS = Object.keys(FACTS) as MailKind[];

const mail = <K extends MailKind>(kind: K, language: Language, facts: TemplateFacts[K], name = 'Ana') =>
  renderMail({ kind, language, facts, name, publicUrl: PUBLIC_URL, unsubscribeToken: 'unsub' });

/** What the subject and both parts must say. */
const SAYS: Readonly<
  Record<MailKind, Record<Language, [subject: string, body: string, link: string | null]>>
> = {
  welcome: {
    en: ['Welcome to Pulso', 'Your account is ready', '/feed'],
    es: ['Te damos la bienvenida a Pulso', 'Tu cuenta está lista', '/feed'],
  },
  'account-notice': {
    en: ['Confirm your email address', 'Please confirm within 24 hours', `/verify-email?token=${TOKEN}`],
    es: ['Confirma tu correo electrónico', 'Confirma en un plazo de 24', `/verify-email?token=${TOKEN}`],
  },
  'new-sign-in': {
    en: ['New sign-in to your account', 'with Firefox on Linux', '/settings'],
    es: ['Nuevo inicio de sesión en tu cuenta', 'con Firefox en Linux', '/settings'],
  },
  'subscription-confirmed': {
    en: ['You are subscribed to Coach Carla', 'You are now subscribed to Coach Carla', '/coach-carla'],
    es: ['Te has suscrito a Coach Carla', 'una suscripción a Coach Carla', '/coach-carla'],
  },
  'new-subscriber': {
    en: ['New subscriber: Mia Member', 'Mia Member has subscribed to you', '/mia'],
    es: ['Nueva suscripción: Mia Member', 'Mia Member se ha suscrito', '/mia'],
  },
  'moderation-decision': {
    en: ['Your post was hidden', 'Reason: Harassment.', null],
    es: ['Tu publicación fue ocultada', 'Motivo: Acoso.', null],
  },
  'payment-notice': {
    en: [
      'The payment for your subscription to Coach Carla failed',
      'Update payment method',
      '/subscriptions',
    ],
    es: ['Falló el pago de tu suscripción a Coach Carla', 'Actualizar método de pago', '/subscriptions'],
  },
};

const cases = KINDS.flatMap((kind) => (['en', 'es'] as const).map((language) => [kind, language] as const));

// Rule: MAIL-4
describe.each(cases)('the mail %s in %s', (kind, language) => {
  const [subject, body, link] = SAYS[kind][language];
  const written = () => mail(kind, language, FACTS[kind] as never);

  it('says the same as text and as HTML, in the language of its reader', async () => {
    const { text, html, ...rest } = await written();
    expect(rest.subject).toBe(subject);
    expect(html).toContain(`lang="${language}"`);
    expect(html).toContain(language === 'en' ? 'Hello Ana,' : 'Hola, Ana:');
    for (const part of [text, html.replaceAll('&#x27;', "'")]) expect(part).toContain(body);
    expect(text).not.toMatch(/<[a-z]/i);
    expect(text).not.toContain('prefers-color-scheme');
  });

  it('links to where it leads', async () => {
    const { text, html } = await written();
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));
    for (const href of links) expect(href.startsWith(PUBLIC_URL)).toBe(true);
    if (link === null) return;
    expect(links).toContain(PUBLIC_URL + link);
    expect(text).toContain(PUBLIC_URL + link);
  });

  it('is one column of 560 px at most, for light and dark', async () => {
    const { html } = await written();
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
    expect(html).toContain('max-width:560px');
    expect(html).toContain('name="viewport"');
    // Nothing is loaded from elsewhere: that would tell who reads the mail.
    expect(html).not.toMatch(/<(img|link|script)\b|url\(/);
  });
});

it.each([
  ['subscription-confirmed', 'subscriptions.unsub'],
  ['new-subscriber', 'subscriptions.unsub'],
  ['new-sign-in', 'security.unsub'],
  ...KINDS.filter((kind) => !['subscription-confirmed', 'new-subscriber', 'new-sign-in'].includes(kind)).map(
    (kind) => [kind, undefined] as const,
  ),
] as [MailKind, string | undefined][])('%s is switched off by %s', async (kind, token) => {
  const { unsubscribeUrl, html, text } = await mail(kind, 'en', FACTS[kind] as never);
  expect(unsubscribeUrl).toBe(token && `${PUBLIC_URL}/unsubscribe?token=${token}`);
  for (const part of [html, text]) expect(part.includes('/unsubscribe')).toBe(token !== undefined);
});

// Rule: MAIL-12
describe('the mail about a payment', () => {
  const BANK_EN = 'It can take 5 to 10 days until your bank shows it.';
  const BANK_ES = 'Tu banco puede tardar de 5 a 10 días en mostrarlo.';
  const SAID: Readonly<Record<PaymentNotice, Record<Language, [subject: string, body: string]>>> = {
    failed: {
      en: [
        'The payment for your subscription to Coach Carla failed',
        'We could not collect MX$400.00 for your subscription to Coach Carla. You keep access until December 20, 2026. If it is not paid by then, the subscription ends.',
      ],
      es: [
        'Falló el pago de tu suscripción a Coach Carla',
        'No pudimos cobrar MX$400.00 por tu suscripción a Coach Carla. Conservas el acceso hasta el 20 de diciembre de 2026. Si no se paga antes, la suscripción termina.',
      ],
    },
    renewed: {
      en: [
        'Your subscription to Coach Carla was renewed',
        'You have paid MX$400.00 for your subscription to Coach Carla. It is paid until December 20, 2026.',
      ],
      es: [
        'Se renovó tu suscripción a Coach Carla',
        'Pagaste MX$400.00 por tu suscripción a Coach Carla. Está pagada hasta el 20 de diciembre de 2026.',
      ],
    },
    refunded: {
      en: [
        'A refund for your subscription to Coach Carla',
        `We have paid back MX$400.00 for your subscription to Coach Carla. ${BANK_EN}`,
      ],
      es: [
        'Un reembolso de tu suscripción a Coach Carla',
        `Te devolvimos MX$400.00 de tu suscripción a Coach Carla. ${BANK_ES}`,
      ],
    },
    secondRefunded: {
      en: [
        'Your second subscription to Coach Carla was ended',
        `You had two subscriptions to Coach Carla. We have ended the second one and paid back all of it: MX$400.00. ${BANK_EN}`,
      ],
      es: [
        'Terminamos tu segunda suscripción a Coach Carla',
        `Tenías dos suscripciones a Coach Carla. Terminamos la segunda y te devolvimos todo lo que pagaste por ella: MX$400.00. ${BANK_ES}`,
      ],
    },
    disputed: {
      en: [
        'A disputed payment for your subscription to Coach Carla',
        'Your bank told us that you disputed the payment of MX$400.00 for your subscription to Coach Carla. The subscription has ended, and nothing more is charged for it. If this was a mistake, please tell your bank.',
      ],
      es: [
        'Un pago en disputa de tu suscripción a Coach Carla',
        'Tu banco nos informó de que disputaste el pago de MX$400.00 por tu suscripción a Coach Carla. La suscripción terminó y ya no se cobra nada por ella. Si fue un error, díselo a tu banco.',
      ],
    },
  };
  const notices = Object.keys(SAID) as PaymentNotice[];
  const all = notices.flatMap((notice) =>
    (['en', 'es'] as const).map((language) => [notice, language] as const),
  );

  it.each(all)('that is %s says in %s what was paid, and what follows', async (notice, language) => {
    const [subject, body] = SAID[notice][language];
    const written = await mail('payment-notice', language, { notice, ...PAYMENT });
    expect(written.subject).toBe(subject);
    expect(written.html).toContain(body);
    // The text has lines of their own length.
    expect(written.text.replaceAll(/\s+/g, ' ')).toContain(body);
    expect(written.html).toContain(`href="${PUBLIC_URL}/subscriptions"`);
  });

  it('says dollars as dollars, and names no coach who is gone', async () => {
    const gone = {
      ...PAYMENT,
      coachName: '',
      coachUsername: '',
      amountMinor: 950,
      currency: 'USD',
      until: null,
    };
    const written = await mail('payment-notice', 'en', { notice: 'refunded', ...gone });
    expect(written.subject).toBe('A refund for your subscription to a coach who is no longer on Pulso');
    expect(written.html).toContain(
      'We have paid back $9.50 for your subscription to a coach who is no longer',
    );
  });
});

describe('names in mails', () => {
  const hostile = (coachName: string) =>
    mail('subscription-confirmed', 'en', { coachName, coachUsername: 'carla' }, coachName);

  it('are text, never HTML', async () => {
    const { html, text, subject } = await hostile('<img src=x onerror="a()"> & Co');
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;a()&quot;&gt; &amp; Co');
    expect(text).toContain('<img src=x onerror="a()"> & Co');
    expect(subject).toBe('You are subscribed to <img src=x onerror="a()"> & Co');
  });

  it.each([
    ['line breaks', 'Eve\r\nBcc: victim', 'Eve Bcc: victim'],
    ['other separators', 'Eve\u2028\u0085\u0000\tof', 'Eve of'],
    ['changes of direction', 'Eve \u202egro elpmaxe\u202c \u2067x\u2069', 'Eve gro elpmaxe x'],
    ['invisible characters', 'E\u200bv\u2060e\ufeff\u00ad', 'Eve'],
    ['lone surrogates', 'Eve \ud800', 'Eve \ufffd'],
  ])('lose their %s', async (_, given, shown) => {
    const { subject, text, html } = await hostile(given);
    expect(subject).toBe(`You are subscribed to ${shown}`);
    for (const part of [text, html]) expect(part).toContain(`Hello ${shown},`);
  });

  it('keep letters of every script, and emoji', async () => {
    const name = 'Зоя שרה 李 ❤️ O’Neil';
    expect((await hostile(name)).subject).toBe(`You are subscribed to ${name}`);
  });
});

/** As a name that a stranger chose comes to people who never asked for it. */
const ADDRESSES = [
  'You won 1000 USD: https://evil.example/claim?u=1',
  'evil.example',
  'Go to evil.example now',
  'EVIL.EXAMPLE',
  'www.evil',
  'evil/claim',
  'eve@evil',
  '192.0.2.1',
  'i❤.ws',
  'пример.рф',
  'xn--e1afmkfd.xn--p1ai',
  'evil\u200b.exam\u00adple',
  'evil\uff0eexample',
  'evil\u3002example',
  'evil\uff61example',
  'ｅｖｉｌ\u2024ｃｏｍ',
  'http:\uff0f\uff0fevil',
  'eve\uff20evil',
];
const ORDINARY = [
  'J. R. Smith',
  'J.R. Smith',
  'J.R.R. Tolkien',
  'Dr. Ana',
  'St. John',
  'Sammy Davis Jr.',
  'Ana M.',
  'Wait… what...ever',
  'Coach: Ana & Ben (2.0)',
  'Run 5.5 km!',
  'Jean-Luc O’Neil',
  '李 小龍・ブルース',
];

// Rule: MAIL-4
describe('a name that looks like an address', () => {
  /** All that the mails about `name` say, to its owner and to others. */
  async function written(name: string) {
    const facts = {
      'subscription-confirmed': { coachName: name, coachUsername: 'carla' },
      'new-subscriber': { subscriberName: name, subscriberUsername: 'carla' },
    };
    const mails = await Promise.all(
      (['en', 'es'] as const).flatMap((language) => [
        mail('welcome', language, { token: '' }, name),
        mail('account-notice', language, { notice: 'resetPassword', token: TOKEN }, name),
        mail('moderation-decision', language, FACTS['moderation-decision'], name),
        mail('subscription-confirmed', language, facts['subscription-confirmed']),
        mail('payment-notice', language, { ...FACTS['payment-notice'], coachName: name }),
        mail('new-subscriber', language, facts['new-subscriber']),
      ]),
    );
    return mails.map(({ subject, text, html }) => [subject, text, html].join('\n')).join('\n');
  }

  it.each(ADDRESSES)('is in no mail: %j', async (name) => {
    const all = await written(name);
    const ownWords = all.replaceAll(PUBLIC_URL, '').replaceAll(/<[^>]*>/g, '');
    for (const word of name.split(' ').filter((one) => /[/@.\uff0e\u3002\uff61\u2024\uff0f\uff20]/.test(one)))
      expect(ownWords).not.toContain(word.replaceAll(/[\u200b\u00ad]/g, ''));
    expect(all).toContain('Hello there,');
    expect(all).toContain('Hola, qué tal:');
    expect(all).toContain('The payment for your subscription to coach-carla failed');
    expect(all).toContain('You are subscribed to carla');
    expect(all).toContain('carla has subscribed to you');
    expect(all).toContain('Nueva suscripción: carla');
    expect(all).toContain('See carla’s profile');
  });

  it.each(ORDINARY)('is not one such as %j', async (name) => {
    const all = (await written(name)).replaceAll('&amp;', '&');
    expect(all).toContain(`Hello ${name},`);
    expect(all).toContain(`You are subscribed to ${name}`);
    expect(all).toContain(`New subscriber: ${name}`);
  });
});
