import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { en as account } from '../src/features/account/texts.en.js';
import { en as links } from '../src/features/account-links/texts.en.js';
import { en as auth } from '../src/features/auth/texts.en.js';
import { en as dashboard } from '../src/features/dashboard/texts.en.js';
import { en as directory } from '../src/features/directory/texts.en.js';
import { en as messages } from '../src/features/messages/texts.en.js';
import { en as subscriptions } from '../src/features/my-subscriptions/texts.en.js';
import { en as postPage } from '../src/features/posts/page-texts.en.js';
import { en as posts } from '../src/features/posts/texts.en.js';
import { en as profile } from '../src/features/profile/texts.en.js';
import { en as unsubscribe } from '../src/features/unsubscribe/texts.en.js';
import { en as shared } from '../src/i18n/texts.en.js';
import { en as pages } from '../src/pages/texts.en.js';

const { app } = shared;
const { notFound } = pages;

const INDEX = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8');
/** Of the site as a whole. */
const [, description = ''] = /<meta\s+name="description"\s+content="([^"]+)"/.exec(INDEX) ?? [];

/** The <Title> of each page that is about nobody. */
const TITLES = {
  '/': app.name,
  '/login': app.title(auth.login.submit),
  '/signup': app.title(auth.signUp.title),
  '/feed': app.title(posts.feed.title),
  '/profile': app.title(profile.profile.title),
  '/dashboard': app.title(dashboard.dashboard.title),
  '/subscriptions': app.title(subscriptions.mine.title),
  '/coach/dashboard': app.title(pages.coachDashboard.title),
  '/messages': app.title(messages.messaging.title),
  '/settings': app.title(account.settings.title),
  '/forgot-password': app.title(links.forgot.title),
  '/reset-password': app.title(links.reset.title),
  '/verify-email': app.title(links.verify.title),
  '/unsubscribe': app.title(unsubscribe.unsubscribe.title),
  '/coaches': app.title(directory.directory.title),
};

/** What the pages that guests are shown say of themselves where links to them are shown (HTTP-27), without the site's name. */
const ABOUT = {
  '/': { title: app.name, description },
  '/coaches': { title: directory.directory.title, description: directory.directory.lead },
};

const missing = (heading: string, text: string) => ({
  missing: { title: app.title(heading), heading, text, home: app.backHome },
});
const noPage = missing(notFound.title, notFound.text);
const nobody = missing(profile.profile.notFoundTitle, profile.profile.notFoundText);

/** What is said where a page is missing, the more specific paths first. */
const MISSING = {
  '/coaches/:coachId': missing(profile.profile.coachNotFoundTitle, profile.profile.coachNotFoundText),
  '/profile/:userId': nobody,
  '/post/:postId': missing(postPage.page.notFoundTitle, postPage.page.notFoundText),
  '/post': noPage,
  '/coach': noPage,
  '/:username': nobody,
  '*': noPage,
};

/** By the path of each page: its title and what it is about, or what is said where it is missing. */
export const PAGE_TEXTS: Record<
  string,
  { title?: string; about?: (typeof ABOUT)['/' | '/coaches']; missing?: object }
> = {
  ...Object.fromEntries(
    Object.entries(TITLES).map(([path, title]) => [
      path,
      { title, about: ABOUT[path as keyof typeof ABOUT] },
    ]),
  ),
  ...MISSING,
};

/** Writes page-texts.json, in the first language: what the gateway says in the place of pages that it does not render. */
export function pageTexts(): Plugin {
  return {
    name: 'pulso:page-texts',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'page-texts.json', source: JSON.stringify(PAGE_TEXTS) });
    },
  };
}
