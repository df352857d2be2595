import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useId } from 'react';
import { errorText } from '../../../server/http/api-error.js';
import { useStorage } from '../../../shared/storage.js';
import { useProfileTexts } from '../texts.js';
import { PendingFigure } from './pending-figure.js';
import classes from './storage-usage.module.css';

const MEGABYTE = 1024 ** 2;

/** How much of the viewer's storage is used, of what they have (MEDIA-15). */
export function StorageUsage() {
  const texts = useProfileTexts();
  const { storage } = texts.profile;
  const { data, error, isFetching, refetch } = useStorage();
  const titleId = useId();
  const isUnknown = data ? data.bytesUsed === null : error !== null;
  return (
    <section className={`card ${classes.storage}`} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {storage.title}
      </h2>
      {isUnknown && (
        <div className={classes.unknown}>
          <p role="alert">{error ? errorText(error, texts.app.loadFailed, texts) : storage.unknown}</p>
          <Button variant="default" aria-disabled={isFetching} onClick={() => void refetch()}>
            {texts.app.retry}
          </Button>
        </div>
      )}
      {!isUnknown && (
        <Bar titleId={titleId} quotaBytes={data?.quotaBytes} bytesUsed={data?.bytesUsed ?? undefined} />
      )}
    </section>
  );
}

interface BarProps {
  titleId: string;
  /** Undefined until both are read. */
  quotaBytes?: number;
  bytesUsed?: number;
}

function Bar({ titleId, quotaBytes, bytesUsed }: BarProps) {
  const { locale, profile } = useProfileTexts();
  const { storage } = profile;
  if (quotaBytes === undefined || bytesUsed === undefined)
    return (
      <>
        <span className={classes.bar} />
        <p className={classes.figures}>
          <PendingFigure />
        </p>
      </>
    );
  const isFull = bytesUsed >= quotaBytes;
  // Rounded down: only what is full has 100 %.
  const tenths = isFull ? 1000 : Math.floor((bytesUsed / quotaBytes) * 1000);
  const megabytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const text = storage.used(
    megabytes.format(bytesUsed / MEGABYTE),
    megabytes.format(quotaBytes / MEGABYTE),
    percent.format(tenths / 1000),
  );
  return (
    <>
      <span
        className={classes.bar}
        role="meter"
        aria-labelledby={titleId}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={tenths / 10}
        aria-valuetext={text}
        data-full={isFull || undefined}
      >
        <span
          className={classes.used}
          style={{ width: `${tenths / 10}%` }}
          data-some={bytesUsed > 0 || undefined}
        />
      </span>
      <p className={classes.figures}>{text}</p>
      {isFull && (
        <p className={classes.full} role="alert">
          <IconAlertTriangle size={18} aria-hidden /> {storage.full}
        </p>
      )}
    </>
  );
}
