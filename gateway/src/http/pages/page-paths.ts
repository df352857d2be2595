/** What is known of pages, by their paths as the frontend has them (`/coaches/:coachId`), specific paths first. */
export type ByPath<Known> = readonly (readonly [path: string, known: Known])[];

/** What is known of the page at a decoded path. */
export function foundAt<Known>(pages: ByPath<Known>, path: string): Known | undefined {
  const given = segmentsOf(path);
  const page = pages.find(([pattern]) => {
    const segments = segmentsOf(pattern);
    return (
      segments.length === given.length &&
      segments.every((segment, index) => segment.startsWith(':') || segment === given[index])
    );
  });
  return page?.[1];
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
