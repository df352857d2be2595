import { useState } from 'react';
import { toast } from '../../../components/feedback/feedback-store.js';
import { useTexts } from '../../../i18n/texts.js';
import { isWebUrl } from '../post-fields.js';
import type { PostDraft } from '../post-fields.js';
import { useUploading } from '../uploading.js';

/** The panel of a video, and what the rest of the publisher has to know of it; all else is loaded with the panel. */
export interface PanelOfVideo {
  userId: string;
  isOpen: boolean;
  /** Of the upload while it is under way: a post waits for it. */
  percent: number | undefined;
  /** It cannot be published, nor will it be by itself. */
  isBlocked: boolean;
  toggle: () => void;
  add: (files: readonly File[]) => void;
  close: () => void;
}

/** The video of the new post's draft (UI-65). What is under way goes on when the publisher's page is left. */
export function useVideo(userId: string, { video }: PostDraft): PanelOfVideo {
  const { app } = useTexts();
  const [isOpen, setOpen] = useState(video !== null);
  const percent = useUploading(userId)?.percent;
  const isMissing = video?.type === 'upload' && !video.id && percent === undefined;
  return {
    ...{ userId, isOpen, percent },
    isBlocked: isMissing || (video?.type === 'url' && !isWebUrl(video.url)),
    toggle: () => setOpen(!isOpen || video !== null),
    add: (files) => {
      setOpen(true);
      import('../videos/draft-video.js').then(
        ({ chooseVideo }) => chooseVideo(userId, files),
        () => toast({ type: 'error', message: app.loadFailed }),
      );
    },
    close: () => setOpen(false),
  };
}
