import { Button } from '@mantine/core';
import type { Archive } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { confirm, toast } from '../../../components/feedback/feedback-store.js';
import { FormAlert } from '../../../components/form-alert.js';
import { ProgressBar } from '../../../components/progress-bar.js';
import { dateAndTime, longDate } from '../../../components/relative-time.js';
import { RowSkeletons } from '../../../components/row-skeletons.js';
import { LoadError } from '../../../components/states.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { ApiError, errorText, hasStatus } from '../../../server/http/api-error.js';
import { useArchive, useDeleteArchive, usePrepareArchive } from '../api/archive.js';
import { DOCUMENT_BYTES } from '../document-limit.js';
import { writtenIn } from '../numbers.js';
import { useArchiveTexts } from '../texts.js';
import type { ArchiveTexts } from '../texts.js';
import classes from './archive.module.css';

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
  const texts = useArchiveTexts();
  const { archive: own } = texts;
  const { status } = archive;
  const holder = useFocusKept<HTMLDivElement>(status);
  return (
    <div className={classes.part} ref={holder}>
      <p role="status" className={classes.said}>
        {stateText(archive, texts)}
      </p>
      {status === 'building' && <Building archive={archive} />}
      {status === 'ready' && <Ready archive={archive} />}
      {status === 'failed' && <FormAlert>{own.broken}</FormAlert>}
      {(status === 'none' || status === 'failed') && (
        <div className={classes.actions}>
          <Prepare />
        </div>
      )}
    </div>
  );
}

function stateText(
  { status, requestedAt, totalBytes }: Archive,
  { archive: own, locale }: ArchiveTexts,
): string | undefined {
  if (status === 'building') return own.building;
  if (status !== 'ready') return undefined;
  return own.ready(longDate(requestedAt ?? '', locale), writtenIn(locale).megabytes(totalBytes ?? 0));
}

/** In seconds. Beyond, the limit of a day has refused an archive; below, something that passes: one at a time, or others in the network. */
const PASSES_SOON = 60;

function refusalText(error: Error, texts: ArchiveTexts): string | undefined {
  const { archive: own } = texts;
  if (hasStatus(error, 503)) return own.unavailable;
  if (!(error instanceof ApiError) || error.status !== 429) return errorText(error, own.broken, texts);
  const seconds = Number(error.retryAfter);
  return seconds > 0 && seconds < PASSES_SOON ? (error.detail ?? texts.app.tooManyRequests) : own.tooMany;
}

/** @param isReplacing whether one is there, which goes: that is asked first */
function Prepare({ isReplacing = false }: { isReplacing?: boolean }) {
  const texts = useArchiveTexts();
  const { archive: own } = texts;
  const label = isReplacing ? own.prepareNew : own.prepare;
  const prepare = usePrepareArchive({
    onSlow: () => toast({ type: 'info', message: own.slow }),
    onFailed: (error) => toast({ type: 'error', message: refusalText(error, texts) }),
  });
  const ask = async () => {
    const question = { title: own.askNewTitle, message: own.askNew, confirmLabel: own.prepareNew };
    if (!isReplacing || (await confirm({ ...question, danger: true }))) prepare.mutate();
  };
  return (
    <BusyButton
      variant="default"
      label={label}
      busyLabel={own.preparing}
      busy={prepare.isPending}
      onClick={() => void ask()}
    />
  );
}

function Building({ archive: { doneBytes, totalBytes } }: { archive: Archive }) {
  const texts = useArchiveTexts();
  const { archive: own } = texts;
  const { megabytes, megabytesDone } = writtenIn(texts.locale);
  const cancel = useDeleteArchive({
    onDone: () => toast({ type: 'info', message: own.canceled }),
    onFailed: (error) => toast({ type: 'error', message: errorText(error, own.deleteFailed, texts) }),
  });
  // Unknown until all records are collected.
  const hasSizes = doneBytes !== null && totalBytes !== null;
  const sizes = hasSizes ? own.sizes(megabytesDone(doneBytes), megabytes(totalBytes)) : undefined;
  return (
    <>
      {hasSizes && (
        <ProgressBar
          label={own.progress}
          percent={totalBytes === 0 ? 0 : (100 * doneBytes) / totalBytes}
          text={sizes}
        />
      )}
      {hasSizes && <p className={`${classes.muted} tabular`}>{sizes}</p>}
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

function Ready({ archive: { expiresAt, documentBytes, url } }: { archive: Archive }) {
  const texts = useArchiveTexts();
  const { archive: own, locale } = texts;
  const { megabytes } = writtenIn(locale);
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
      {expiresAt !== null && <p className={classes.muted}>{own.expires(dateAndTime(expiresAt, locale))}</p>}
      {documentBytes !== null && documentBytes > DOCUMENT_BYTES && (
        <FormAlert type="info">
          {own.notToImport(megabytes(documentBytes), megabytes(DOCUMENT_BYTES))}
        </FormAlert>
      )}
      <div className={classes.actions}>
        {url !== null && (
          <Button component="a" href={url} download>
            {own.download}
          </Button>
        )}
        <Prepare isReplacing />
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
