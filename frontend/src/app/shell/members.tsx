import { Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ErrorBoundary } from '../../components/error-boundary.js';
import { lazyWithQueries } from '../../components/lazy-with-queries.js';
import { useIdle } from '../../components/use-idle.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { useUploading } from '../../features/posts/uploading.js';
import { useLive } from './use-live.js';

// The parts of the shell that only members have, in a chunk of their own: the landing page does without (UI-47).
export { BottomBar } from './bottom-bar.js';
export { HeaderTools } from './header-tools.js';
export { PeopleSearch } from './people-search.js';

const LiveRelations = lazyWithQueries(() =>
  import('../../features/people/live-relations.js').then((module) => module.LiveRelations),
);

const LiveSubscriptions = lazyWithQueries(() =>
  import('../../features/subscriptions/live-subscriptions.js').then((module) => module.LiveSubscriptions),
);

const CheckoutReturn = lazyWithQueries(() =>
  import('../../features/payments/components/checkout-return.js').then((module) => module.CheckoutReturn),
);

const PaymentDue = lazyWithQueries(() =>
  import('../../features/payments/components/payment-due.js').then((module) => module.PaymentDue),
);

const UploadStrip = lazyComponent(() =>
  import('../../features/posts/videos/upload-strip.js').then((module) => module.UploadStrip),
);

/** Keeps what is on the page up to date while `viewerId` is signed in. */
export function KeptUpToDate({ viewerId }: { viewerId: string }) {
  const { key, search } = useLocation();
  // From then on: it takes what it has read out of the address.
  const [returned, setReturned] = useState(false);
  if (!returned && search.includes('checkout=')) setReturned(true);
  const idle = useIdle();
  useLive(viewerId);
  const isUploading = useUploading(viewerId) !== undefined;
  return (
    // Nothing else depends on it.
    <ErrorBoundary resetKey={key} fallback={null}>
      <Suspense>
        <LiveRelations />
        <LiveSubscriptions />
        {returned && <CheckoutReturn />}
        {idle && <PaymentDue />}
        {isUploading && <UploadStrip />}
      </Suspense>
    </ErrorBoundary>
  );
}
