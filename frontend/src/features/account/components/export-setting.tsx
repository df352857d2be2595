import { BusyButton } from '../../../components/busy-button.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { ApiError, errorText } from '../../../server/http/api-error.js';
import { useDownloadExport } from '../api/download-export.js';
import { useAccountTexts } from '../texts.js';
import classes from './account.module.css';

/** Saves all that is held of the viewer as a file (ACCT-35). */
export function ExportSetting() {
  const texts = useAccountTexts();
  const own = texts.settings.data;
  const download = useDownloadExport({
    onSaved: () => toast({ type: 'success', message: own.saved }),
    onFailed: (error) => {
      const isIncomplete = error instanceof ApiError && error.status === 503;
      toast({ type: 'error', message: isIncomplete ? own.incomplete : errorText(error, own.failed, texts) });
    },
  });
  return (
    <div className={classes.part}>
      <h3 className={classes.subtitle}>{own.document}</h3>
      <p className={classes.muted}>{own.text}</p>
      <div className={classes.actions}>
        <BusyButton
          variant="default"
          label={own.download}
          busyLabel={own.downloading}
          busy={download.isPending}
          onClick={() => download.mutate()}
        />
      </div>
    </div>
  );
}
