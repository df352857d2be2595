/** What a page that the server has rendered was made of: the JSON in the document's `#page-data`. */
export interface PageData {
  /** When it was rendered, in ms. */
  at: number;
  /** What its queries have read, by their keys. */
  queries: [key: readonly unknown[], data: unknown][];
  /** What else it has read, by the path of the call. */
  answers: Record<string, unknown>;
}

/** Whether the server has rendered the page of this document, as a visitor sees it. */
export const isRendered = (): boolean => document.documentElement.hasAttribute('data-rendered');

let read: PageData | undefined;

/** Undefined for a page that was not rendered. Throws where it is not JSON. */
export function pageData(): PageData | undefined {
  const json = document.getElementById('page-data')?.textContent;
  if (json) read ??= JSON.parse(json) as PageData;
  return read;
}

/** The clock of all times in what the server has rendered, in ms. */
export const renderedAt = (): number => pageData()?.at ?? Date.now();

/** What the rendered page has read of `GET path`, without queries. */
export const answerOf = <T>(path: string): T | undefined => pageData()?.answers[path] as T | undefined;
