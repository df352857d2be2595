import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.js';
import { ErrorBoundary } from './error-boundary.js';
import { toast } from './feedback/feedback-store.js';

interface LazyDialogProps {
  /** A dialog whose code is loaded when it is opened. */
  children: ReactNode;
  onClose: () => void;
  /** In its place while the code is loading. */
  fallback?: ReactNode;
}

/** Keys are no shortcuts meanwhile: they are meant for the dialog. */
const OPENING = <span data-opening hidden />;

/** Shows a toast if the dialog's code cannot be loaded; the page stays as it is (UI-42). */
export function LazyDialog({ children, onClose, fallback = OPENING }: LazyDialogProps) {
  const { app } = useTexts();
  const onBroken = () => {
    toast({ type: 'error', message: app.loadFailed });
    onClose();
  };
  return (
    <ErrorBoundary fallback={null} onBroken={onBroken}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
