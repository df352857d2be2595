import { RATING } from '@pulso/contracts/limits';
import type { Post } from '../posts/post.dto.js';
import type { Profile } from '../profiles/profile.dto.js';
import type { UserRef } from '../user-ref/user-ref.dto.js';

/** What schema.org has words for, as an object of JSON-LD. */
export type Facts = Readonly<Record<string, unknown>>;

const SCHEMA = { '@context': 'https://schema.org' } as const;
/** A class of the element in place of what only subscribers read: search engines ask for its name. */
const PAYWALL = '.paywall';

/** The site as a whole (HTTP-40, as the other ones here). */
export function factsOfSite({
  url,
  title,
  description,
}: Record<'url' | 'title' | 'description', string>): Facts {
  return { ...SCHEMA, '@type': 'WebSite', name: title, url, description };
}

/** A profile's page. schema.org knows no rating of a person: a coach's is that of the coaching they offer (PEOPLE-2). */
export function factsOfPerson(profile: Profile, publicUrl: string, url: string): Facts {
  const { bio, specialties, isCoach, createdAt, stats } = profile;
  return {
    ...SCHEMA,
    '@type': 'ProfilePage',
    url,
    dateCreated: createdAt,
    mainEntity: {
      ...person(profile, publicUrl, url),
      ...(bio === '' ? {} : { description: bio }),
      ...(isCoach && specialties.length > 0 ? { knowsAbout: specialties } : {}),
      ...counted('interactionStatistic', [['FollowAction', stats.followers]]),
      ...counted('agentInteractionStatistic', [['WriteAction', stats.posts]]),
      ...(isCoach ? { makesOffer: coaching(profile) } : {}),
    },
  };
}

/**
 * A post's page. `content` is what a visitor reads of it, and nothing else of a locked post is told (POST-6). Pulso has published an imported
 * post when it was imported: the time of its writing is what an archive says (ACCT-46).
 */
export function factsOfPost(post: Post, publicUrl: string, url: string): Facts {
  const { author, content, createdAt, importedAt, editedAt, images, visibility } = post;
  const { likeCount, commentCount } = post;
  const isFree = visibility === 'public';
  return {
    ...SCHEMA,
    '@type': 'SocialMediaPosting',
    '@id': url,
    url,
    mainEntityOfPage: url,
    author: person(author, publicUrl, publicUrl + pathOfPerson(author)),
    datePublished: importedAt ?? createdAt,
    ...(importedAt === undefined ? {} : { dateCreated: createdAt }),
    ...(editedAt === null ? {} : { dateModified: editedAt }),
    ...(content === '' ? {} : { text: content }),
    ...(images.length === 0 ? {} : { image: images.map((image) => publicUrl + image.url) }),
    commentCount,
    ...counted('interactionStatistic', [
      ['LikeAction', likeCount],
      ['CommentAction', commentCount],
    ]),
    isAccessibleForFree: isFree,
    ...(isFree
      ? {}
      : { hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: PAYWALL } }),
  };
}

function person({ id, name, username, profileImage }: UserRef, publicUrl: string, url: string): Facts {
  return {
    '@type': 'Person',
    name,
    ...(username === null ? {} : { alternateName: username }),
    identifier: id,
    url,
    image: publicUrl + profileImage,
  };
}

/** The one address of a person's pages, and of one without a username the page that is left (UI-9). */
export const pathOfPerson = ({ id, username, isCoach }: UserRef): string =>
  username === null ? `/${isCoach ? 'coaches' : 'profile'}/${id}` : `/${username}`;

function coaching({ name, subscriptionPrice, subscriptionCurrency, rating }: Profile): Facts {
  const { averageRating, totalReviews } = rating;
  const isRated = averageRating !== null && totalReviews !== null && totalReviews > 0;
  return {
    '@type': 'Offer',
    ...(subscriptionPrice === null ? {} : { price: subscriptionPrice, priceCurrency: subscriptionCurrency }),
    itemOffered: {
      '@type': 'Service',
      name: `Fitness coaching by ${name}`,
      serviceType: 'Fitness coaching',
      ...(isRated
        ? {
            aggregateRating: {
              '@type': 'AggregateRating',
              ratingValue: averageRating,
              reviewCount: totalReviews,
              bestRating: RATING.max,
              worstRating: RATING.min,
            },
          }
        : {}),
    },
  };
}

/** Counters under `name`, without those that nobody knows right now; nothing when none is left. */
function counted(name: string, counts: readonly (readonly [action: string, count: number | null])[]): Facts {
  const counters = counts.flatMap(([action, count]) =>
    count === null
      ? []
      : [
          {
            '@type': 'InteractionCounter',
            interactionType: `https://schema.org/${action}`,
            userInteractionCount: count,
          },
        ],
  );
  return counters.length === 0 ? {} : { [name]: counters };
}
