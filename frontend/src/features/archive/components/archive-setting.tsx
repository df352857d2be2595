import { Button } from '@mantine/core';
import type { Archive } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { confirm, toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { dateAndTime, longDate } from '../../../components/relative-time.js';
import { RowSkeletons } from '../../../components/row-skeletons.js';
import { LoadError } from '../../../components/states.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { errorText, hasStatus } from '../../../server/http/api-error.js';
import { useArchive, useDeleteArchive, usePrepareArchive } from '../api/archive.js';
import { writtenIn } from '../numbers.js';
import { useArchiveTexts } from '../texts.js';
import classes from './archive.module.css';
import { ProgressBar } from './progress-bar.js';

/** The archive of all that is held of the viewer: to prepare, to watch, to download, to delete (ACCT-45, UI-77). */
export function ArchiveSetting() {
  const { archive: own } = useArchiveTexts();
  const { data: archive, error, refetch } = useArchive();
  return (
    <div className={classes.part}>
      <h3 className={classes.title}>{own.title}</h3>
      <p className={classes.muted}>{own.text}</p>
      {!archive && error && (
        <LoadError error={error} fallback={own.loadFailed} onRetry={() => void refetch()} />
      )}
      {!archive && !error && <RowSkeletons count={1} />}
      {archive && <State archive={archive} />}
    </div>
  );
}

function State({ archive }: { archive: Archive }) {
  const { archive: own } = useArchiveTexts();
  const { status } = archive;
  const holder = useFocusKept<HTMLDivElement>(status);
  return (
    <div className={classes.part} ref={holder}>
      {status === 'building' && <Building archive={archive} />}
      {status === 'ready' && <Ready archive={archive} />}
      {status === 'failed' && <FormAlert>{own.broken}</FormAlert>}
      {(status === 'none' || status === 'failed') && (
        <div className={classes.actions}>
          <Prepare label={own.prepare} />
        </div>
      )}
    </div>
  );
}

function Prepare({ label }: { label: string }) {
  const texts = useArchiveTexts();
  const { archive: own } = texts;
  const prepare = usePrepareArchive({
    onFailed: (error) => {
      let message = errorText(error, own.broken, texts);
      if (hasStatus(error, 429)) message = own.tooMany;
      if (hasStatus(error, 503)) message = own.unavailable;
      toast({ type: 'error', message });
    },
  });
  return (
    <BusyButton
      variant="default"
      label={label}
      busyLabel={own.preparing}
      busy={prepare.isPending}
      onClick={() => prepare.mutate()}
    />
  );
}

function Building({ archive: { doneBytes, totalBytes } }: { archive: Archive }) {
  const texts = useArchiveTexts();
  const { archive: own } = texts;
  const { megabytes } = writtenIn(texts.locale);
  const cancel = useDeleteArchive({
    onDone: () => toast({ type: 'info', message: own.canceled }),
    onFailed: (error) => toast({ type: 'error', message: errorText(error, own.deleteFailed, texts) }),
  });
  const sizes =
    doneBytes !== null && totalBytes !== null
      ? own.sizes(megabytes(doneBytes), megabytes(totalBytes))
      : undefined;
  return (
    <>
      <p role="status">{own.building}</p>
      <ProgressBar label={own.progress} share={totalBytes ? (doneBytes ?? 0) / totalBytes : 0} text={sizes} />
      {sizes !== undefined && <p className={`${classes.muted} tabular`}>{sizes}</p>}
      <div className={classes.actions}>
        <BusyButton
          variant="default"
          label={own.cancel}
          busyLabel={own.canceling}
          busy={cancel.isPending}
          onClick={() => cancel.mutate()}
        />
      </div>
    </>
  );
}

function Ready({ archive: { totalBytes, requestedAt, expiresAt, url } }: { archive: Archive }) {
  const texts = useArchiveTexts();
  const { archive: own, locale } = texts;
  const remove = useDeleteArchive({
    onDone: () => toast({ type: 'success', message: own.deleted }),
    onFailed: (error) => toast({ type: 'error', message: errorText(error, own.deleteFailed, texts) }),
  });
  const ask = async () => {
    const confirmed = await confirm({
      ...{ title: own.askTitle, message: own.ask, confirmLabel: own.delete, danger: true },
    });
    if (confirmed) remove.mutate();
  };
  return (
    <>
      <p role="status">
        {own.ready(longDate(requestedAt ?? '', locale), writtenIn(locale).megabytes(totalBytes ?? 0))}
      </p>
      {expiresAt !== null && <p className={classes.muted}>{own.expires(dateAndTime(expiresAt, locale))}</p>}
      <div className={classes.actions}>
        {url !== null && (
          <Button component="a" href={url} download>
            {own.download}
          </Button>
        )}
        <Prepare label={own.prepareNew} />
        <BusyButton
          variant="default"
          label={own.delete}
          busyLabel={own.deleting}
          busy={remove.isPending}
          onClick={() => void ask()}
        />
      </div>
    </>
  );
}
