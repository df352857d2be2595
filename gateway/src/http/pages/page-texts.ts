import { z } from 'zod';
import { byPath, type ByPath, foundAt } from './page-paths.js';
import { readIfThere } from './read-if-there.js';

/** Written by the frontend's build: by the path of each page its title, or what is said where it is missing. */
export const PAGE_TEXTS = 'page-texts.json';

const missing = z.object({ title: z.string(), heading: z.string(), text: z.string(), home: z.string() });
const schema = z.record(z.string(), z.object({ title: z.string().optional(), missing: missing.optional() }));

/** In place of a page that is not there: its title, what it says, and the text of a link to the home page. */
export type MissingTexts = z.infer<typeof missing>;

type Texts = z.infer<typeof schema>[string];

/** What the gateway says in the place of pages that it does not render. */
export class PageTexts {
  private constructor(
    private readonly pages: ByPath<Texts>,
    /** At paths of no page. */
    private readonly others: Texts | undefined,
  ) {}

  /** Without the file pages say what the build says of the site as a whole. Throws for one that is not what the build writes. */
  static async read(file: string): Promise<PageTexts> {
    const text = await readIfThere(file);
    const pages = text ? schema.parse(JSON.parse(text.toString())) : {};
    return new PageTexts(byPath(pages), pages['*']);
  }

  /** Of the page at a decoded path. */
  titleOf(path: string): string | undefined {
    return foundAt(this.pages, path)?.title;
  }

  /** Where nothing is at a decoded path. */
  missingAt(path: string): MissingTexts | undefined {
    return (foundAt(this.pages, path) ?? this.others)?.missing;
  }
}
