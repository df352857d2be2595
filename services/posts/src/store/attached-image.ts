import { POST_IMAGES_MAX, VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import type { ImageFacts } from '@pulso/contracts/media/v1/media';
import type { ImageChoice } from '@pulso/contracts/posts/v1/posts';
import type { FieldProblems } from '@pulso/platform/validation/field-problems';

/** An image of a post: media's facts about it, and the author's texts. Sizes in bytes. */
export interface AttachedImage extends ImageFacts {
  alt: string;
  caption: string;
}

type TextField = {
  [F in keyof AttachedImage]-?: AttachedImage[F] extends string ? F : never;
}[keyof AttachedImage];

/** Whether a text can be long. A new text of an image does not compile until this is decided. */
const CAN_BE_LONG: Readonly<Record<TextField, boolean>> = {
  id: false,
  blurhash: false,
  originalName: true,
  alt: true,
  caption: true,
};
const LONG_TEXTS = (Object.keys(CAN_BE_LONG) as TextField[]).filter((field) => CAN_BE_LONG[field]);

/** The code units of an image's long texts. */
export function textLengthOf(image: AttachedImage): number {
  return LONG_TEXTS.reduce((sum, field) => sum + image[field].length, 0);
}

/** The chosen images of a new post with their texts trimmed (POST-1). */
export function readNewImages(choices: readonly ImageChoice[], problems: FieldProblems): ImageChoice[] {
  return readImages(choices, VALIDATION_MESSAGES.tooManyImages, problems);
}

/** The same for the whole new list of an edited post (POST-5). */
export function readEditedImages(choices: readonly ImageChoice[], problems: FieldProblems): ImageChoice[] {
  return readImages(choices, VALIDATION_MESSAGES.tooManyImagesInEdit(choices.length), problems);
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

function readImages(
  choices: readonly ImageChoice[],
  tooMany: string,
  problems: FieldProblems,
): ImageChoice[] {
  if (choices.length > POST_IMAGES_MAX) {
    problems.add('images', 'too-many', tooMany);
    return [];
  }
  const ids = new Set<string>();
  return choices.map(({ id, alt, caption }, position) => {
    const path = `images.${position}`;
    if (ids.has(id)) problems.add(`${path}.id`, 'repeated', VALIDATION_MESSAGES.repeatedImage);
    ids.add(id);
    return {
      id,
      alt: problems.text(`${path}.alt`, alt, TEXT_LIMITS.alt),
      caption: problems.text(`${path}.caption`, caption, TEXT_LIMITS.caption),
    };
  });
}
