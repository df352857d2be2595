import { join } from 'node:path';

/**
 * Chunks by the modules that lead to them, the first that does: few and large ones, since each costs a phone a round trip.
 * The first two load on every page, `query` on every page but the landing page, `members` where somebody is signed in or
 * about to be; a page and a dialog have what is theirs alone in a chunk of their own.
 */
const TIERS: Readonly<Record<string, readonly string[]>> = {
  boot: ['boot.ts'],
  app: ['main.tsx', 'components/site-footer.tsx', 'components/title.tsx', 'components/watch-near.ts'],
  query: [
    'server/queries/queries.tsx',
    'server/client/client.ts',
    'shared/specialties.ts',
    'server/live/live-events.ts',
    'server/http/retry.ts',
    'components/busy-button.tsx',
    'components/form-alert.tsx',
    'components/avatar.tsx',
    'components/menu/menu-button.tsx',
    'components/use-idle.ts',
    'features/posts/uploading.ts',
  ],
  members: ['app/shell/members.tsx'],
  forms: [
    'validation/use-checked-form.ts',
    'components/password-field.tsx',
    'components/choice-chips.tsx',
    'components/progress-bar.tsx',
  ],
  posts: [
    'features/posts/components/post-list.tsx',
    'features/posts/components/publisher.tsx',
    'features/people/use-people-actions.tsx',
    'features/people/components/follow-button.tsx',
    'features/people/live-relations.tsx',
    'features/subscriptions/live-subscriptions.tsx',
    'components/badge.tsx',
    'components/profile-path.ts',
    'features/people/texts.ts',
    'features/profile/api/get-me.ts',
    'features/profile/components/stats.tsx',
    'shared/coaches.ts',
    'pages/feed-page.tsx',
  ],
  // Of the pages of coaches, which have no posts to bring it.
  stars: ['components/stars.tsx'],
  profile: ['pages/coach-page.tsx', 'pages/profile-page.tsx', 'pages/username-page.tsx'],
  // Of the forms of accounts; below `posts`, which has the lengths of texts.
  account: ['shared/password-policy.ts'],
  // To which the links of mails lead, and the login: small, and rarely opened.
  links: [
    'pages/forgot-password-page.tsx',
    'pages/reset-password-page.tsx',
    'pages/verify-email-page.tsx',
    'pages/unsubscribe-page.tsx',
  ],
};

interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

/** Of `query`: what pages use beside `members`, without which a page is shown. */
const SHARED_PACKAGES = /[\\/]@tanstack[\\/]|[\\/]Icon(MessageCircle|Plus|Search)\.mjs$/;

const SOURCE = join(import.meta.dirname, '../src');
const tiers = new Map<string, string>();

/** A watching build sees other imports than the one before. */
export const forgetTiers = (): void => tiers.clear();

/** Our own modules alone: those of packages follow the modules that use them. */
function tierOf(id: string, graph: ModuleGraph): string | undefined {
  if (tiers.size === 0) {
    for (const [name, roots] of Object.entries(TIERS)) {
      const waiting = roots.map((root) => join(SOURCE, root));
      for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
        if (tiers.has(module) || !module.startsWith(SOURCE)) continue;
        tiers.set(module, name);
        waiting.push(...(graph.getModuleInfo(module)?.importedIds ?? []));
      }
    }
  }
  return tiers.get(id);
}

export const chunkGroups = [
  ...Object.keys(TIERS).map((tier, index) => ({
    debugName: tier,
    name: (id: string, graph: ModuleGraph) =>
      tierOf(id, graph) === tier || (tier === 'query' && SHARED_PACKAGES.test(id)) ? tier : null,
    priority: 2 * (10 - index),
  })),
  // Pages of cards and pages of forms share these alone.
  { name: 'inputs', test: /@mantine\/core\/esm\/components\/(Input|Textarea)/, priority: 17 },
];
