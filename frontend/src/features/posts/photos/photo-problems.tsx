import { LIMITS } from '../../../api/limits.js';
import { imageFailure, isOfImage, refusalText } from '../../../server/images/image-failure.js';
import { FormAlert } from '../../../components/form-alert.js';
import type { ChoiceProblem } from './choose-files.js';
import { hasTooLongText } from './photo-list.js';
import type { Photo } from './photo-list.js';
import classes from './photos.module.css';
import { usePhotoTexts } from './texts.js';
import type { PhotoTexts } from './texts.js';

interface PhotoProblemsProps {
  photos: readonly Photo[];
  problems: readonly ChoiceProblem[];
  /** An edit has a text of its own for too many. */
  inEdit: boolean;
}

/** What is wrong with the last choice of files, and which photos have failed, a line each. */
export function PhotoProblems({ photos, problems, inEdit }: PhotoProblemsProps) {
  const texts = usePhotoTexts();
  const lines = [
    ...problems.map((problem) => choiceText(problem, photos.length, inEdit, texts)),
    ...photos.flatMap((photo, index) => photoText(photo, index + 1, texts) ?? []),
  ];
  if (lines.length === 0) return null;
  return (
    <div className={classes.problems}>
      <FormAlert>
        {[...new Set(lines)].map((line) => (
          <span key={line}>{line}</span>
        ))}
      </FormAlert>
    </div>
  );
}

function choiceText(problem: ChoiceProblem, shown: number, inEdit: boolean, texts: PhotoTexts): string {
  const { photos } = texts;
  if (problem.kind === 'none') return photos.none;
  if (problem.kind === 'file') return photos.ofFile(problem.n, refusalText(problem.refusal, texts));
  return inEdit ? photos.tooManyInEdit(LIMITS.postImages, shown) : photos.tooMany(LIMITS.postImages);
}

/** As the lines about other files of its choice, by its position there. What is not the image's own fault is said once for all of them. */
function photoText(photo: Photo, position: number, texts: PhotoTexts): string | undefined {
  const { status, failure, chosenAs } = photo;
  if (hasTooLongText(photo)) return texts.photos.tooLong(position);
  if (status === 'gone') return texts.photos.gone(position);
  if (status !== 'failed') return undefined;
  const reason = imageFailure(failure, texts);
  return reason !== undefined && isOfImage(failure)
    ? texts.photos.ofImage(chosenAs ?? position, reason)
    : reason;
}
