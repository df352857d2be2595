import { createContext, useContext } from 'react';
import { en } from './messages.en.js';

/**
 * The languages of the interface, as BCP 47 tags. One that is added here is a type error in every catalogue, until each of
 * them has its texts: `messages.es.ts` beside each `messages.en.ts`.
 */
export type Language = 'en';

/** The shape of texts, whatever they say. */
export type Widen<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Widen<T[Key]> };

export type Messages = Widen<typeof en>;

export const messages: Record<Language, Messages> = { en };

export const LanguageContext = createContext<Language>('en');

export const useLanguage = (): Language => useContext(LanguageContext);

/** The shared texts in the language in use. */
export const useMessages = (): Messages => messages[useLanguage()];

/** A feature's texts in each language, with the shared ones. English gives the shape that the others must have. */
export function withShared<English extends object>(
  texts: { en: English } & Record<Language, Widen<English>>,
): Record<Language, Messages & Widen<English>> {
  return { en: { ...messages.en, ...texts.en } };
}
