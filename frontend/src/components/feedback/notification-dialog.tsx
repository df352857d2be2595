import { Button } from '@mantine/core';
import { useMessages } from '../../i18n/messages.js';
import { Dialog, DialogActions } from '../dialog.js';
import { closeNotice } from './feedback-store.js';
import type { Notice } from './feedback-store.js';
import { NoticeIcon } from './notice-icon.js';
import { useAutoClose } from './use-auto-close.js';

export function NotificationDialog({ notice }: { notice: Notice }) {
  const messages = useMessages();
  const { id, type } = notice;
  useAutoClose(notice);

  const title = (
    <>
      <NoticeIcon type={type} />
      {notice.title ?? messages.dialog.titles[type]}
    </>
  );
  return (
    <Dialog
      role="alertdialog"
      title={title}
      onClose={() => closeNotice(id)}
      returnFocusTo={notice.returnFocusTo}
    >
      <p>{notice.message}</p>
      <DialogActions>
        {notice.actions ? (
          notice.actions(() => closeNotice(id))
        ) : (
          <Button data-autofocus variant="default" onClick={() => closeNotice(id)}>
            {messages.dialog.ok}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
