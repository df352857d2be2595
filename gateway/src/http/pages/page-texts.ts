import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type ByPath, foundAt } from './page-paths.js';

/** Written by the frontend's build: by the path of each page its title, what it is about, and what is said where it is missing. */
export const PAGE_TEXTS = 'page-texts.json';

const missing = z.object({ title: z.string(), heading: z.string(), text: z.string(), home: z.string() });
const about = z.object({ title: z.string(), description: z.string() });
const schema = z.record(
  z.string(),
  z.object({ title: z.string().optional(), about: about.optional(), missing: missing.optional() }),
);

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
    const pages = schema.parse(JSON.parse(await readIfThere(file)));
    return new PageTexts(Object.entries(pages), pages['*']);
  }

  /** Of the page at a decoded path. */
  titleOf(path: string): string | undefined {
    return foundAt(this.pages, path)?.title;
  }

  /** What the page at a decoded path says of itself where links to it are shown; its title is without the site's name. */
  aboutAt(path: string): z.infer<typeof about> | undefined {
    return foundAt(this.pages, path)?.about;
  }

  /** Where nothing is at a decoded path. */
  missingAt(path: string): MissingTexts | undefined {
    return (foundAt(this.pages, path) ?? this.others)?.missing;
  }
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  }
}
