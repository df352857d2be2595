import { aPost, aRelation, aUser, POST_ID, TIME, USER_ID } from './support/fake-clients.js';
import { aPostImage } from './support/fake-media.js';
import { type FrontendBuild, frontendBuild } from './support/frontend-build.js';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let build: FrontendBuild;
let gateway: TestGateway;

beforeAll(async () => {
  build = frontendBuild(async () => ({ html: 'rendered', data: '{}' }));
  gateway = await startTestGateway({
    STATIC_DIR: build.directory,
    guestPageLimits: { keptMs: 0, renderMs: 60_000 },
  });
});
beforeEach(() => gateway.resetServices());
afterAll(async () => {
  await gateway?.close();
  build?.remove();
});

async function factsAt(path: string): Promise<Record<string, unknown>> {
  const html = await (await gateway.call('GET', path, { token: null })).text();
  const [, json] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html) ?? [];
  return JSON.parse(json!) as Record<string, unknown>;
}
const SITE = 'https://pulso.example';
const coachRated = (totalReviews: number) => {
  gateway.identity.getUserByUsername = async () =>
    aUser({
      isCoach: true,
      specialties: ['Boxing'],
      subscriptionPriceMinor: 40_000,
      subscriptionCurrency: 'MXN',
    });
  gateway.social.getRelations = async () => ({
    relations: [aRelation({ rating: { averageRating: totalReviews && 4.5, totalReviews } })],
  });
};

// Rule: HTTP-40
describe('what a page says to search engines', () => {
  it('is of the site on its first page', async () => {
    expect(await factsAt('/')).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: 'Pulso',
      url: `${SITE}/`,
    });
  });

  it('is whose profile it is', async () => {
    gateway.identity.getUserByUsername = async () => aUser({ isCoach: false, bio: 'I lift.' });
    const facts = await factsAt('/ana-torres');
    expect(facts).toMatchObject({
      '@type': 'ProfilePage',
      mainEntity: {
        '@type': 'Person',
        name: 'Ana Torres',
        alternateName: 'ana-torres',
        identifier: USER_ID,
        url: `${SITE}/ana-torres`,
        description: 'I lift.',
        interactionStatistic: [{ interactionType: 'https://schema.org/FollowAction' }],
      },
    });
    expect(JSON.stringify(facts)).not.toContain('Offer');
  });

  it('is what a coach offers, with the rating where there are reviews', async () => {
    coachRated(2);
    const { mainEntity } = (await factsAt('/ana-torres')) as { mainEntity: Record<string, unknown> };
    expect(mainEntity).toMatchObject({
      knowsAbout: ['Boxing'],
      makesOffer: {
        '@type': 'Offer',
        price: 400,
        priceCurrency: 'MXN',
        itemOffered: {
          '@type': 'Service',
          aggregateRating: { ratingValue: 4.5, reviewCount: 2, bestRating: 5, worstRating: 1 },
        },
      },
    });
    coachRated(0);
    expect(JSON.stringify(await factsAt('/ana-torres'))).not.toContain('aggregateRating');
  });

  it('is whose post it is, what it says and how many liked it', async () => {
    gateway.posts.getPost = async () => aPost({ content: 'Five sets', images: [aPostImage()], likeCount: 3 });
    expect(await factsAt(`/post/${POST_ID}`)).toMatchObject({
      '@type': 'SocialMediaPosting',
      url: `${SITE}/post/${POST_ID}`,
      author: { '@type': 'Person', name: 'Ana Torres', url: `${SITE}/ana-torres` },
      text: 'Five sets',
      image: [SITE + aPostImage().url],
      interactionStatistic: [
        { interactionType: 'https://schema.org/LikeAction', userInteractionCount: 3 },
        {},
      ],
      isAccessibleForFree: true,
    });
  });

  // Rule: ACCT-46
  it('is of an imported post that it was published here when it was imported', async () => {
    gateway.posts.getPost = async () => aPost({ createdAt: TIME, importedAt: TIME + 60_000 });
    const times = { dateCreated: new Date(TIME).toISOString() };
    expect(await factsAt(`/post/${POST_ID}`)).toMatchObject({
      ...times,
      datePublished: new Date(TIME + 60_000).toISOString(),
    });
    gateway.posts.getPost = async () => aPost({ createdAt: TIME });
    const written = await factsAt(`/post/${POST_ID}`);
    expect(written['datePublished']).toBe(times.dateCreated);
    expect(written).not.toHaveProperty('dateCreated');
  });

  // Rule: POST-6
  it('is no more of a locked post than its preview, and that it is not free', async () => {
    gateway.posts.getPost = async () =>
      aPost({
        content: 'The first words',
        truncated: true,
        locked: true,
        visibility: Visibility.VISIBILITY_SUBSCRIBERS,
      });
    expect(await factsAt(`/post/${POST_ID}`)).toMatchObject({
      text: 'The first words…',
      isAccessibleForFree: false,
      hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.paywall' },
    });
  });
});
