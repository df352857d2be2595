import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { Dialog, DialogActions } from '../dialog.js';
import { AUTO_CLOSE, closeNotice } from './feedback-store.js';
import type { Notice } from './feedback-store.js';
import { NoticeIcon } from './notice-icon.js';

export function NotificationDialog({ notice }: { notice: Notice }) {
  const messages = useMessages();
  const { id, type } = notice;

  useEffect(() => {
    if (type === 'error') return;
    const timer = setTimeout(() => closeNotice(id), AUTO_CLOSE);
    return () => clearTimeout(timer);
  }, [id, type]);

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
        <Button data-autofocus variant="default" onClick={() => closeNotice(id)}>
          {messages.dialog.ok}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
