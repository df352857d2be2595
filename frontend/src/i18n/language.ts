/**
 * The languages of the interface, as BCP 47 tags. One that is added here is a type error in every catalogue, until each of
 * them has its texts: `texts.es.ts` beside each `texts.en.ts`, and its name in the one line of each `texts.ts`.
 */
const LANGUAGES = ['en'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The page's language: what `<html lang>` says when the page starts. Another one is chosen by loading the page anew. */
export const language: Language =
  LANGUAGES.find((one) => one === globalThis.document?.documentElement.lang) ?? LANGUAGES[0];
