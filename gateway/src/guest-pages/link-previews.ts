import type { User } from '@pulso/contracts/identity/v1/identity';
import { Cancellation } from '@pulso/platform/context/cancellation';
import { runInContext } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import type { GatewayClients } from '../connect-services.js';
import { pictureUrl } from '../user-ref/to-user-ref.js';
import { normalizeUsername } from '../validation/fields.js';
import { type PageHead, shortened } from './page-head.js';

/** A page waits no longer for what it says of itself. */
const BUDGET_MS = 1_000;
const TITLE_MAX = 60;

/** What the frontend's pages that are about nobody say of themselves, where links to them are shown to others. */
const SHARED: Readonly<Record<string, Pick<PageHead, 'type' | 'title' | 'description'>>> = {
  '/': {
    type: 'website',
    title: 'Pulso',
    description: 'Pulso is a social network for fitness: follow coaches, share your training, keep going.',
  },
  '/coaches': {
    type: 'website',
    title: 'Fitness Coaches',
    description: 'Find somebody whose training speaks to you.',
  },
};

/** `missing`: the page of a post or user that is not there for visitors, or of no address of the frontend. */
export type Preview = { head: PageHead } | 'missing' | 'none';

type ReadHead = () => Promise<PageHead | null>;

interface PreviewOptions {
  clients: Pick<GatewayClients, 'identity' | 'posts'>;
  publicUrl: string;
  clock: Clock;
  logger: Logger;
}

/**
 * What the frontend's pages say to those who show links to them, always as a visitor sees it: a subscribers-only post
 * shows no more than its preview (POST-6). While a service is down a page has no preview, and is never missing.
 */
export class LinkPreviews {
  constructor(private readonly options: PreviewOptions) {}

  /**
   * The preview of the page at a decoded path, or how to ask the services for it. What it returns never rejects.
   * `frontend` knows its pages that are about nobody (UI-1).
   */
  of(
    path: string,
    frontend: { hasPage(path: string): boolean },
  ): Preview | ((requestId: string) => Promise<Preview>) {
    const address = withoutSlash(path);
    const shared = SHARED[address];
    if (shared) return { head: { ...this.about(address), ...shared } };
    if (frontend.hasPage(address)) return 'none';
    const read = this.readerOf(address);
    return read ? (requestId) => this.ask(read, requestId) : 'missing';
  }

  private async ask(read: ReadHead, requestId: string): Promise<Preview> {
    const { clock, logger } = this.options;
    const context = {
      requestId,
      authorization: undefined,
      caller: null,
      deadline: clock.now() + BUDGET_MS,
      cancellation: new Cancellation(),
      after: [],
      wrote: [],
      traceparent: undefined,
    };
    try {
      const head = await runInContext(context, read);
      return head ? { head } : 'missing';
    } catch (err) {
      if (err instanceof DomainError && err.kind === 'not-found') return 'missing';
      logger.warn({ err, requestId }, 'cannot read what a page is about; it has no preview');
      return 'none';
    }
  }

  /** Reads what the page is about; null where that is missing. Undefined for no address of the frontend. */
  private readerOf(address: string): ReadHead | undefined {
    const [first = '', second, ...deeper] = address.slice(1).split('/');
    if (deeper.length > 0) return undefined;
    if (second === undefined) return () => this.byUsername(first);
    if (first === 'post') return () => this.post(second);
    if (first === 'profile') return () => this.profile(second);
    if (first === 'coaches') return () => this.coach(second);
    return undefined;
  }

  private async post(id: string): Promise<PageHead | null> {
    if (!isId(id)) return null;
    const { author, content: given, truncated, images } = await this.options.clients.posts.getPost({ id });
    const content = truncated ? `${given.trimEnd()}…` : given;
    const title = content === '' ? author!.name : `${author!.name}: ${shortened(content, TITLE_MAX)}`;
    const head = { ...this.about(`/post/${id}`), type: 'article', title, description: content } as const;
    const [first] = images;
    return first ? { ...head, picture: this.options.publicUrl + first.url } : head;
  }

  private async byUsername(given: string): Promise<PageHead | null> {
    const username = normalizeUsername(given);
    if (username === undefined) return null;
    return this.head(await this.options.clients.identity.getUserByUsername({ username }));
  }

  private async profile(id: string): Promise<PageHead | null> {
    return isId(id) ? this.head(await this.options.clients.identity.getUser({ id })) : null;
  }

  private async coach(id: string): Promise<PageHead | null> {
    const user = isId(id) ? await this.options.clients.identity.getUser({ id }) : null;
    return user?.isCoach ? this.head(user) : null;
  }

  /** All pages of a person have the one address by username (UI-9). */
  private head({ name, username, bio, profileImageId }: User): PageHead {
    const title = `${name} (@${username})`;
    const head = { ...this.about(`/${username}`), type: 'profile', title, description: bio } as const;
    if (profileImageId === '') return head;
    return { ...head, picture: this.options.publicUrl + pictureUrl(profileImageId), isSmall: true };
  }

  /** The site's own picture, unless there is another one: initials are SVG. */
  private about(path: string): Pick<PageHead, 'url' | 'picture'> {
    const { publicUrl } = this.options;
    return { url: publicUrl + path, picture: `${publicUrl}/link-picture.jpg` };
  }
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
