import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Me } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { PHONE } from '../../../components/back-closes.js';
import { useMedia } from '../../../components/use-media.js';
import { hasDraft, setDraft, useDraft } from '../drafts.js';
import { usePostTexts } from '../texts.js';
import { isUntouched } from '../post-fields.js';
import type { PostDraft } from '../post-fields.js';
import { fileIntake } from './file-intake.js';
import { PublisherDialog } from './publisher-dialog.js';
import { PublisherForm } from './publisher-form.js';
import classes from './publisher.module.css';
import { usePhotos } from './use-photos.js';
import { useVideo } from './use-video.js';

/** The editor of new posts (UI-51): a card in the feed, one line high until it is used; a dialog on phones. */
export function Publisher({ viewer }: { viewer: Me }) {
  const { publisher, pictures } = usePostTexts();
  const draft = useDraft(viewer.id);
  const [open, setOpen] = useState(false);
  const narrow = useMedia(PHONE);
  const card = useRef<HTMLElement>(null);
  const opener = () => card.current?.querySelector<HTMLElement>('[data-publisher]');
  const unfold = () => setOpen(true);
  const photos = usePhotos(viewer.id, draft);
  const video = useVideo(viewer.id, draft);
  const hasPhotos = draft.images.length > 0 || Boolean(photos.list?.count());

  const closePanels = () => {
    photos.close();
    video.close();
  };
  const props = {
    draft,
    onDraft: (changed: PostDraft) => setDraft(viewer.id, changed),
    // One panel at a time, and a post has what is in one of them (POST-2).
    photos: { ...photos, toggle: () => (video.close(), photos.toggle()), isOff: draft.video !== null },
    video: { ...video, toggle: () => (photos.close(), video.toggle()), isOff: hasPhotos },
    isCoach: viewer.isCoach,
    onPosted: () => {
      // Who goes on writing, or choosing photos, does so here.
      if (hasDraft(viewer.id) || photos.isUnfinished()) return;
      closePanels();
      // Post goes away with the foot. Who has gone on meanwhile is left alone.
      if (card.current?.contains(document.activeElement)) opener()?.focus({ preventScroll: true });
      setOpen(false);
    },
  };
  const empty = isUntouched(draft) && !photos.isBlocked;
  const region = {
    ...fileIntake((files) => {
      unfold();
      const isVideo = draft.video || (!hasPhotos && files[0]?.type.startsWith('video/'));
      const [panel, other] = isVideo ? [video, photos] : [photos, video];
      other.close();
      panel.add(files);
    }),
    className: `card ${classes.publisher}`,
    'aria-label': publisher.title,
  };

  const onFold = useEffectEvent(closePanels);
  // Folds once something else was pressed or focused: not before, or what is pressed would move away under the finger.
  useEffect(() => {
    if (narrow || !open || !empty) return;
    const fold = ({ target }: Event) => {
      const inside = (node: EventTarget | null) => node instanceof Node && card.current?.contains(node);
      if (inside(target) || inside(document.activeElement)) return;
      setOpen(false);
      onFold();
    };
    document.addEventListener('click', fold);
    document.addEventListener('keyup', fold);
    return () => {
      document.removeEventListener('click', fold);
      document.removeEventListener('keyup', fold);
    };
  }, [narrow, open, empty]);

  if (!narrow) {
    return (
      <section ref={card} {...region} onFocus={unfold}>
        <Avatar user={viewer} />
        <PublisherForm {...props} folded={!open && empty} onUse={unfold} />
      </section>
    );
  }
  return (
    <section ref={card} {...region}>
      <Avatar user={viewer} />
      <button type="button" className={classes.open} data-publisher onClick={unfold}>
        {empty ? (
          publisher.placeholder
        ) : (
          <>
            <span className={classes.draft}>{publisher.draft}</span>{' '}
            {draft.content || (draft.video ? pictures.video : pictures.count(draft.images.length))}
          </>
        )}
      </button>
      {open && (
        <PublisherDialog {...props} viewer={viewer} returnFocusTo={opener} onClose={() => setOpen(false)} />
      )}
    </section>
  );
}
