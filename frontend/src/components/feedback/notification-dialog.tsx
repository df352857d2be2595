import { Button } from '@mantine/core';
import { useTexts } from '../../i18n/texts.js';
import { Dialog, DialogActions } from '../dialog.js';
import { closeNotice } from './feedback-store.js';
import type { Notice } from './feedback-store.js';
import { NoticeIcon } from './notice-icon.js';
import classes from './notification-dialog.module.css';
import { useAutoClose } from './use-auto-close.js';

export function NotificationDialog({ notice }: { notice: Notice }) {
  const texts = useTexts();
  const { id, type } = notice;
  useAutoClose(notice);

  const title = (
    <>
      <NoticeIcon type={type} />
      {notice.title ?? texts.dialog.titles[type]}
    </>
  );
  return (
    <Dialog
      role="alertdialog"
      title={title}
      onClose={() => closeNotice(id)}
      returnFocusTo={notice.returnFocusTo}
    >
      {/* Not OK: a key that was on its way to another place would press it. */}
      <p tabIndex={-1} data-autofocus={!notice.actions || undefined} className={classes.message}>
        {notice.message}
      </p>
      <DialogActions>
        {notice.actions ? (
          notice.actions(() => closeNotice(id))
        ) : (
          <Button variant="default" onClick={() => closeNotice(id)}>
            {texts.dialog.ok}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
