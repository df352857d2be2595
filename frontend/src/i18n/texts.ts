import { language } from './language.js';
import type { Language } from './language.js';
import { en } from './texts.en.js';

/** The shape of texts, whatever they say. */
export type Widen<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Widen<T[Key]> };

export type Texts = Widen<typeof en>;

export const texts: Record<Language, Texts> = { en };

/** The shared texts in the page's language. */
export const useTexts = (): Texts => texts[language];

/** The texts of a feature with the shared ones. English gives the shape that other languages must have. */
export type FeatureTexts<English> = Texts & Widen<English>;

/** Makes the hook for a feature's own texts, with the shared ones, in the page's language. */
export function featureTexts<English extends object>(
  own: { en: English } & Record<Language, Widen<English>>,
): () => FeatureTexts<English> {
  const all = { ...texts[language], ...own[language] };
  return () => all;
}
