import { POST_IMAGES_MAX, REFUSALS, TEXT_LIMITS } from '@pulso/contracts/limits';
import type { ImageFacts } from '@pulso/contracts/media/v1/media';
import type { ImageChoice } from '@pulso/contracts/posts/v1/posts';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { cleanText, type TextRule } from '@pulso/platform/text/text-rules';

/** An image of a post: what media says of it, and what the author writes to it. Sizes in bytes. */
export interface AttachedImage extends ImageFacts {
  alt: string;
  caption: string;
}

/** The chosen images with their texts trimmed (POST-1). Throws `validation-failed` on `images`. */
export function readNewImages(choices: readonly ImageChoice[]): ImageChoice[] {
  return readImages(choices, REFUSALS.tooManyImages);
}

/** The same for the whole new list of an edited post (POST-5). */
export function readEditedImages(choices: readonly ImageChoice[]): ImageChoice[] {
  return readImages(choices, REFUSALS.tooManyImagesInEdit(choices.length));
}

/** The chosen images with the facts of `known`; undefined if one of them is not known. */
export function attach(
  choices: readonly ImageChoice[],
  known: readonly ImageFacts[],
): AttachedImage[] | undefined {
  const facts = new Map(known.map((image) => [image.id, image]));
  const images = choices.flatMap(({ id, alt, caption }) => {
    const image = facts.get(id);
    return image ? [{ ...factsOf(image), alt, caption }] : [];
  });
  return images.length === choices.length ? images : undefined;
}

/** Whether the choices are these images, in this order and with these texts. */
export function isSame(choices: readonly ImageChoice[], images: readonly AttachedImage[]): boolean {
  return (
    choices.length === images.length &&
    choices.every(({ id, alt, caption }, position) => {
      const image = images[position]!;
      return id === image.id && alt === image.alt && caption === image.caption;
    })
  );
}

function factsOf({ id, width, height, blurhash, originalName, originalSize, bytes }: ImageFacts): ImageFacts {
  return { id, width, height, blurhash, originalName, originalSize, bytes };
}

function readImages(choices: readonly ImageChoice[], tooMany: string): ImageChoice[] {
  if (choices.length > POST_IMAGES_MAX) {
    throw validationFailed([{ path: 'images', code: 'too-many', message: tooMany }]);
  }
  const seen = new Set<string>();
  return choices.map(({ id, alt, caption }, position) => {
    const path = `images.${position}`;
    if (seen.has(id)) {
      throw validationFailed([{ path: `${path}.id`, code: 'repeated', message: REFUSALS.repeatedImage }]);
    }
    seen.add(id);
    return {
      id,
      alt: readText(alt, TEXT_LIMITS.alt, `${path}.alt`),
      caption: readText(caption, TEXT_LIMITS.caption, `${path}.caption`),
    };
  });
}

function readText(input: string, rule: TextRule, path: string): string {
  const { value, problem } = cleanText(input, rule);
  if (problem) throw validationFailed([{ path, ...problem }]);
  return value;
}
