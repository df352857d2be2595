import { expect, test } from '@playwright/test';
import { renderMail } from '@pulso/messaging/mail-templates/render-mail';
import type { TemplateFacts } from '@pulso/messaging/mail-templates/template-facts';
import type { MailKind } from '@pulso/messaging/store/mail';
import { axeViolations } from './support.js';

const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2);

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const FACTS: { readonly [K in MailKind]: TemplateFacts[K] } = {
  welcome: {},
  'subscription-confirmed': { coachName: LONG, coachUsername: 'coach-carla' },
  'new-subscriber': { subscriberName: LONG, subscriberUsername: 'mia' },
  'moderation-decision': { subject: 'account', isHidden: true, reason: 'spam' },
  'payment-notice': {
    ...{ notice: 'failed', coachName: LONG, coachUsername: 'coach-carla' },
    ...{ amountMinor: 40_000, currency: 'MXN', until: 0 },
  },
};

// Rule: MAIL-4
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 390, 1280]) {
    test(`mails can be read in ${colorScheme} mail programs of ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      for (const kind of Object.keys(FACTS) as MailKind[]) {
        for (const language of ['en', 'es'] as const) {
          const order = {
            kind,
            language,
            facts: FACTS[kind] as never,
            name: 'Ana',
            unsubscribeToken: 'token',
          };
          const { html } = await renderMail({ ...order, publicUrl: 'https://pulso.example' });
          await page.setContent(html);
          const violations = (await axeViolations(page)).filter((line) => !/^(region|landmark)/.test(line));
          const overflow = await page.evaluate<number>(OVERFLOW);
          expect({ kind, language, violations, overflow }).toEqual({
            kind,
            language,
            violations: [],
            overflow: 0,
          });
        }
      }
    });
  }
}
