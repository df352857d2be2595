import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import classes from './busy-button.module.css';

interface BusyButtonProps extends ButtonProps {
  label: string;
  busyLabel: string;
  busy: boolean;
  /** There is nothing to submit yet; the form ignores the press. */
  idle?: boolean;
}

/**
 * Submits a form. It keeps its width and, since it is never `disabled`, the focus while the form is on its way; the
 * form itself refuses a second press.
 */
export function BusyButton({ label, busyLabel, busy, idle = false, ...rest }: BusyButtonProps) {
  const off = busy || idle;
  return (
    <Button {...rest} type="submit" aria-busy={busy} aria-disabled={off} data-disabled={off || undefined}>
      <span className={classes.label} data-other={busy ? label : busyLabel}>
        {busy ? busyLabel : label}
      </span>
    </Button>
  );
}
