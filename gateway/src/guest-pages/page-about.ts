import type { Post } from '../posts/post.dto.js';
import type { Profile } from '../profiles/profile.dto.js';
import { factsOfPerson, factsOfPost, factsOfSite, pathOfPerson } from './page-facts.js';
import { beginningOf, type PageHead } from './page-head.js';

/** Of a post's text in its title, in characters as they are seen (UI-54). */
const EXCERPT_LENGTH = 60;
const SITE_PAGES = { landing: '/', directory: '/coaches' } as const;

/** What the frontend's pages that are about nobody say of themselves, by path, where links to them are shown to others. */
export type SiteTexts = (path: string) => Pick<PageHead, 'title' | 'description'> | undefined;

/** What a page says of itself, made of what the API answers a visitor (HTTP-27). `publicUrl` is without a slash at its end. */
export class PageAbout {
  constructor(
    private readonly publicUrl: string,
    private readonly siteTexts: SiteTexts,
  ) {}

  /** Undefined where the frontend's build says nothing of the page. */
  site(page: keyof typeof SITE_PAGES): PageHead | undefined {
    const path = SITE_PAGES[page];
    const texts = this.siteTexts(path);
    if (!texts) return undefined;
    const head = { ...this.at(path), type: 'website', ...texts } as const;
    return page === 'landing' ? { ...head, facts: factsOfSite(head) } : head;
  }

  /** All pages of a person have the one address by username (UI-9). */
  person(profile: Profile): PageHead {
    const { name, username, bio, profileImage } = profile;
    const title = username === null ? name : `${name} (@${username})`;
    const head = { ...this.at(pathOfPerson(profile)), type: 'profile', title, description: bio } as const;
    const facts = factsOfPerson(profile, this.publicUrl, head.url);
    if (!isPicture(profileImage)) return { ...head, facts };
    return { ...head, picture: this.publicUrl + profileImage, isSmall: true, facts };
  }

  /** Of a locked post no more than its preview (POST-6). */
  post(post: Post): PageHead {
    const { id, author, images, video } = post;
    const content = post.truncated ? `${post.content.trimEnd()}…` : post.content;
    const line = content.replace(/\s+/g, ' ').trim();
    const title =
      post.content.trim() === ''
        ? `Post by ${author.name}`
        : `${author.name}: ${beginningOf(line, EXCERPT_LENGTH)}`;
    const head = { ...this.at(`/post/${id}`), type: 'article', title, description: content } as const;
    const facts = factsOfPost({ ...post, content }, this.publicUrl, head.url);
    const picture = images[0]?.url ?? (video?.type === 'upload' ? video.thumbnail : '');
    return picture === '' ? { ...head, facts } : { ...head, picture: this.publicUrl + picture, facts };
  }

  /** The site's own picture, unless there is another one: those who show links accept no SVG, which initials are. */
  private at(path: string): Pick<PageHead, 'url' | 'picture'> {
    const { publicUrl } = this;
    return { url: publicUrl + path, picture: `${publicUrl}/link-picture.jpg` };
  }
}

/** A picture of one's own, and no initial. */
const isPicture = (profileImage: string) => profileImage.startsWith('/media/');
