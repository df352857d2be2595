/** What is known of pages, by their paths as the frontend has them (`/coaches/:coachId`), specific paths first. */
export type ByPath<Known> = readonly { path: string; segments: readonly string[]; known: Known }[];

/** From what the frontend's build has written, in its order. */
export const byPath = <Known>(pages: Readonly<Record<string, Known>>): ByPath<Known> =>
  Object.entries(pages).map(([path, known]) => ({ path, segments: segmentsOf(path), known }));

/** What is known of the page at a decoded path. */
export function foundAt<Known>(pages: ByPath<Known>, path: string): Known | undefined {
  const given = segmentsOf(path);
  const page = pages.find(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, index) => segment.startsWith(':') || segment === given[index]),
  );
  return page?.known;
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
