import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { Me } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { PHONE } from '../../../components/back-closes.js';
import { Dialog } from '../../../components/dialog.js';
import { setDraft, useDraft } from '../drafts.js';
import { usePostMessages } from '../messages.js';
import { PublisherForm } from './publisher-form.js';
import classes from './publisher.module.css';

/** The editor of new posts: a card in the feed, a full-screen dialog under 768 px. */
export function Publisher({ viewer }: { viewer: Me }) {
  const { publisher } = usePostMessages();
  const draft = useDraft(viewer.id);
  const [open, setOpen] = useState(false);
  const narrow = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });

  const form = (minRows: number) => (
    <PublisherForm
      draft={draft}
      onDraft={(changed) => setDraft(viewer.id, changed)}
      isCoach={viewer.isCoach}
      minRows={minRows}
      onPosted={() => setOpen(false)}
    />
  );

  if (!narrow) {
    return (
      <section className={`card ${classes.publisher}`} aria-label={publisher.title}>
        <Avatar user={viewer} />
        {form(2)}
      </section>
    );
  }
  return (
    <section className={`card ${classes.publisher}`} aria-label={publisher.title}>
      <Avatar user={viewer} />
      <button type="button" className={classes.open} data-publisher onClick={() => setOpen(true)}>
        {draft.content || publisher.placeholder}
      </button>
      {open && (
        <Dialog title={publisher.title} fullScreenOnPhones onClose={() => setOpen(false)}>
          {form(10)}
        </Dialog>
      )}
    </section>
  );
}
