import { createContext, useContext } from 'react';
import { en } from './texts.en.js';

/**
 * The languages of the interface, as BCP 47 tags. One that is added here is a type error in every catalogue, until each of
 * them has its texts: `texts.es.ts` beside each `texts.en.ts`.
 */
export type Language = 'en';

/** The shape of texts, whatever they say. */
export type Widen<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Widen<T[Key]> };

export type Texts = Widen<typeof en>;

export const texts: Record<Language, Texts> = { en };

export const LanguageContext = createContext<Language>('en');

export const useLanguage = (): Language => useContext(LanguageContext);

/** The shared texts in the language in use. */
export const useTexts = (): Texts => texts[useLanguage()];

/** A feature's texts in each language, with the shared ones. English gives the shape that the others must have. */
export function withShared<English extends object>(
  own: { en: English } & Record<Language, Widen<English>>,
): Record<Language, Texts & Widen<English>> {
  return { en: { ...texts.en, ...own.en } };
}
