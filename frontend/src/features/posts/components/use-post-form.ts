import { errorText, hasCode } from '../../../server/http/api-error.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { useFailureNote } from '../../../components/feedback/use-failure-note.js';
import { useMounted } from '../../../components/use-mounted.js';
import type { PhotoList } from '../photos/photo-list.js';
import { usePostTexts } from '../texts.js';

interface PostFormOptions {
  list: PhotoList | undefined;
  /** Notices at the edge are behind it. */
  inDialog: boolean;
  /** What a failure without a reason of its own says. */
  failed: string;
  /** The act of notices. */
  act?: string;
}

/** What the publisher and the edit dialog have in common: how a failure is told (UI-33). */
export function usePostForm({ list, inDialog, failed, act }: PostFormOptions) {
  const texts = usePostTexts();
  const mounted = useMounted();
  const note = useFailureNote();

  /**
   * Tells in an open dialog why nothing was sent, else in a notice.
   * @param reason the server's, instead of the general text
   * @param atFields shows it in an open dialog at the fields it names; false when it names none
   */
  const onFailed = (error: unknown, reason?: string, atFields?: (error: unknown) => boolean) => {
    if (hasCode(error, 'media-not-attachable')) void list?.findGone();
    const message = reason ?? errorText(error, failed, texts);
    if (!inDialog || !mounted.current) toast({ type: 'error', message, act });
    else if (!atFields?.(error)) note.tell(error, message);
  };
  return { mounted, onFailed, failure: note.note, clearFailure: note.clear };
}
