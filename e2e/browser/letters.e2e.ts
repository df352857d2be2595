import { expect, test } from '@playwright/test';
import { renderMail } from '@pulso/messaging/mail-templates/render-mail';
import type { TemplateFacts } from '@pulso/messaging/mail-templates/template-facts';
import type { AccountNotice, MailKind } from '@pulso/messaging/store/mail';
import { axeViolations } from './support.js';

const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2);

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const TOKEN = 'h8Rk2Qz0'.repeat(6);

const FACTS: { readonly [K in MailKind]: TemplateFacts[K] } = {
  welcome: { token: TOKEN },
  'account-notice': { notice: 'verifyEmail', token: TOKEN },
  'new-sign-in': { browser: 'Samsung Internet', system: 'Android', at: 0 },
  'subscription-confirmed': { coachName: LONG, coachUsername: 'coach-carla' },
  'new-subscriber': { subscriberName: LONG, subscriberUsername: 'mia' },
  'moderation-decision': { subject: 'account', isHidden: true, reason: 'spam' },
  'payment-notice': {
    ...{ notice: 'failed', coachName: LONG, coachUsername: 'coach-carla' },
    ...{ amountMinor: 40_000, currency: 'MXN', until: 0 },
  },
};

const OTHER_NOTICES: readonly AccountNotice[] = [
  ...(['resetPassword', 'emailChanged', 'passkeyAdded', 'passkeyRemoved', 'passwordChanged'] as const),
];

/** Every letter, those of accounts with each of their texts. */
const LETTERS = [
  ...Object.entries(FACTS),
  ['welcome', { token: '' }],
  ...OTHER_NOTICES.map((notice) => ['account-notice', { notice, token: TOKEN }]),
] as [MailKind, never][];

// Rule: MAIL-4, MAIL-13
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 390, 1280]) {
    test(`mails can be read in ${colorScheme} mail programs of ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      for (const [kind, facts] of LETTERS) {
        for (const language of ['en', 'es'] as const) {
          const order = {
            kind,
            language,
            facts,
            name: 'Ana',
            unsubscribeToken: 'token',
          };
          const { html } = await renderMail({ ...order, publicUrl: 'https://pulso.example' });
          await page.setContent(html);
          const violations = (await axeViolations(page)).filter((line) => !/^(region|landmark)/.test(line));
          const overflow = await page.evaluate<number>(OVERFLOW);
          expect({ kind, facts, language, violations, overflow }).toEqual({
            kind,
            facts,
            language,
            violations: [],
            overflow: 0,
          });
        }
      }
    });
  }
}
