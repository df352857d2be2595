import type { Plugin } from 'vite';
import { en as auth } from '../src/features/auth/texts.en.js';
import { en as dashboard } from '../src/features/dashboard/texts.en.js';
import { en as directory } from '../src/features/directory/texts.en.js';
import { en as messages } from '../src/features/messages/texts.en.js';
import { en as subscriptions } from '../src/features/my-subscriptions/texts.en.js';
import { en as posts } from '../src/features/posts/texts.en.js';
import { en as profile } from '../src/features/profile/texts.en.js';
import { en as unsubscribe } from '../src/features/unsubscribe/texts.en.js';
import { en as shared } from '../src/i18n/texts.en.js';

const { app, notFound } = shared;

/** The <Title> of each page that is about nobody. */
const TITLES = {
  '/': app.name,
  '/login': app.title(auth.login.submit),
  '/signup': app.title(auth.signUp.title),
  '/feed': app.title(posts.feed.title),
  '/profile': app.title(profile.profile.title),
  '/dashboard': app.title(dashboard.dashboard.title),
  '/subscriptions': app.title(subscriptions.mine.title),
  '/coach/dashboard': app.title(shared.coachDashboard.title),
  '/messages': app.title(messages.messaging.title),
  '/unsubscribe': app.title(unsubscribe.unsubscribe.title),
  '/coaches': app.title(directory.directory.title),
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
  '/post/:postId': missing(posts.post.notFoundTitle, posts.post.notFoundText),
  '/post': noPage,
  '/coach': noPage,
  '/:username': nobody,
  '*': noPage,
};

/** By the path of each page: its title, or what is said where it is missing. */
export const PAGE_TEXTS = {
  ...Object.fromEntries(Object.entries(TITLES).map(([path, title]) => [path, { title }])),
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
