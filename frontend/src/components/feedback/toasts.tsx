import { Button, CloseButton } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTexts } from '../../i18n/texts.js';
import { closeNotice } from './feedback-store.js';
import type { Notice } from './feedback-store.js';
import { NoticeIcon } from './notice-icon.js';
import { raiseToasts } from './raise-toasts.js';
import classes from './toasts.module.css';
import { useAttended, useAutoClose } from './use-auto-close.js';

/** The region is always rendered, so that screen readers announce what is added to it. */
export function Toasts({ notices }: { notices: Notice[] }) {
  const { dialog } = useTexts();
  // An element of their own, which can be moved into a dialog.
  const [holder] = useState(() => document.createElement('div'));
  useLayoutEffect(() => {
    document.body.append(holder);
    raiseToasts();
    return () => holder.remove();
  }, [holder]);
  return createPortal(
    <section
      data-toasts
      popover="manual"
      className={classes.region}
      aria-label={dialog.notices}
      aria-live="polite"
    >
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </section>,
    holder,
  );
}

function Toast({ notice }: { notice: Notice }) {
  const { dialog } = useTexts();
  const { id, type, action } = notice;
  const { attended, handlers } = useAttended();
  useAutoClose(notice, attended);

  return (
    <div className={classes.toast} role={type === 'error' ? 'alert' : undefined} {...handlers}>
      <NoticeIcon type={type} />
      <p className={classes.message}>{notice.message}</p>
      {action && (
        <Button
          className={classes.action}
          variant="subtle"
          color="gray"
          onClick={() => {
            action.run();
            closeNotice(id);
          }}
        >
          {action.label}
        </Button>
      )}
      <CloseButton
        iconSize={18}
        aria-label={dialog.dismiss}
        onClick={() => closeNotice(id)}
        className={classes.close}
      />
    </div>
  );
}
