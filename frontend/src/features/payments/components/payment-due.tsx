import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { NoticeIcon } from '../../../components/feedback/notice-icon.js';
import { fullDate } from '../../../components/relative-time.js';
import { useWindowFocus } from '../../../components/use-window-focus.js';
import { useLiveEvents } from '../../../server/live/live-events.js';
import { PAYMENT_STATUS, usePaymentStatus } from '../api/get-payment-status.js';
import { usePaymentTexts } from '../texts.js';
import { MendButton } from './mend-button.js';
import classes from './payment-due.module.css';

/**
 * While a renewal has failed: until when access lasts, and the way to another card (SUBS-33). A bar at the bottom of the window,
 * so that nothing moves when it comes.
 */
export function PaymentDue() {
  const queryClient = useQueryClient();
  const status = usePaymentStatus();
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: PAYMENT_STATUS });
  useLiveEvents(({ type }) => {
    if (type === 'subscription' || type === 'reload') readAgain();
  });
  // The provider's pages may have led back.
  useWindowFocus(() => {
    if (status && (status.paymentDueBy !== null || status.payouts === 'started')) readAgain();
  });
  if (!status) return null;
  return (
    // There before its text, which is read out then.
    <div role="status">{status.paymentDueBy !== null && <Bar until={status.paymentDueBy} />}</div>
  );
}

function Bar({ until }: { until: string }) {
  const { payments, locale } = usePaymentTexts();
  const bar = useRef<HTMLDivElement>(null);
  // What stands at the bottom of the window stands above it: its height is that of its text.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty('--pulso-payment-due', `${bar.current?.offsetHeight ?? 0}px`),
    );
    observer.observe(bar.current!);
    return () => {
      observer.disconnect();
      style.removeProperty('--pulso-payment-due');
    };
  }, []);
  return (
    <div ref={bar} className={classes.bar}>
      <div className={classes.inner}>
        <NoticeIcon type="warning" />
        <p className={classes.text}>{payments.due(fullDate(until, locale))}</p>
        <MendButton quiet />
      </div>
    </div>
  );
}
