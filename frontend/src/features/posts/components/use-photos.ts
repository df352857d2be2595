import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { ComponentType } from 'react';
import { toast } from '../../../components/feedback/feedback-store.js';
import { useMounted } from '../../../components/use-mounted.js';
import { useTexts } from '../../../i18n/texts.js';
import { draftOf, POST_DRAFT, setDraft } from '../drafts.js';
import type { PostDraft } from '../post-fields.js';
import type { PhotoList } from '../photos/photo-list.js';

/** Most texts have no photos: their code is loaded with the first one. */
const loadPhotos = () => import('../photos/open-photos.js');
/** A failure is told when the button is pressed. */
const preload = () => void loadPhotos().catch(() => undefined);
const never = () => () => undefined;

/** The photos of a text that is being written. */
export interface Photos {
  isOpen: boolean;
  /** Both are absent until the code is there. */
  list?: PhotoList;
  Panel?: ComponentType<{ list: PhotoList; inEdit?: boolean }>;
  /** One of them is under way or has failed: the text cannot be published yet. */
  isBlocked: boolean;
  /** Whether a photo is not on the server at this moment, whatever was rendered last. */
  isUnfinished: () => boolean;
  /** To be called when the button is pointed at. */
  preload: () => void;
  /** Opens or closes the panel; with photos in it, it asks for more. */
  toggle: () => void;
  add: (files: readonly File[]) => void;
  close: () => void;
}

/** The photos of the new post's draft (UI-18). What is under way ends when the publisher's page is left. */
export function usePhotos(userId: string, { images }: PostDraft): Photos {
  const { app } = useTexts();
  const queryClient = useQueryClient();
  const mounted = useMounted();
  const [isOpen, setOpen] = useState(images.length > 0);
  const [{ list, Panel }, setOpened] = useState<Pick<Photos, 'list' | 'Panel'>>({});
  const current = useRef<PhotoList>(undefined);
  /** Choices of files that wait for the code. */
  const waiting = useRef(0);
  const isReady = useSyncExternalStore(list?.subscribe ?? never, () => list?.isReady());

  const begin = async (files?: readonly File[]) => {
    if (files) waiting.current += 1;
    try {
      const { openPhotos, PhotoPanel } = await loadPhotos();
      if (!mounted.current) return;
      current.current ??= openPhotos({
        ...{ userId, draftKey: POST_DRAFT, queryClient },
        images: draftOf(userId).images,
        onChange: (images) => setDraft(userId, { ...draftOf(userId), images }),
      });
      if (files) current.current.choose(files);
      setOpened({ list: current.current, Panel: PhotoPanel });
    } catch {
      toast({ type: 'error', message: app.loadFailed });
      setOpen(false);
    } finally {
      if (files) waiting.current -= 1;
    }
  };
  const beginAgain = useEffectEvent(() => isOpen && void begin());
  useEffect(() => void beginAgain(), []);
  useEffect(() => list?.stay(), [list]);

  // What was published is not shown any more.
  useEffect(() => list?.keepOnly(images), [list, images]);

  const open = (files?: readonly File[]) => {
    setOpen(true);
    void begin(files);
  };
  return {
    ...{ isOpen, list, Panel, preload },
    isBlocked: isOpen && !isReady,
    isUnfinished: () => waiting.current > 0 || current.current?.isReady() === false,
    toggle: () => {
      if (isOpen && list && list.count() > 0) list.pick();
      else if (isOpen) setOpen(false);
      else open();
    },
    add: open,
    close: () => setOpen(false),
  };
}
