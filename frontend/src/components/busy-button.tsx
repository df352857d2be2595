import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import classes from './busy-button.module.css';

interface BusyButtonProps extends ButtonProps {
  label: string;
  busyLabel: string;
  busy: boolean;
  /** There is nothing to submit yet; the form ignores the press. */
  idle?: boolean;
  /** What a press does; without it the button submits its form. */
  onClick?: () => void;
}

/**
 * Starts something that takes a while. It keeps its width and, since it is never `disabled`, the focus meanwhile; a
 * second press is ignored, here or by the form.
 */
export function BusyButton({ label, busyLabel, busy, idle = false, onClick, ...rest }: BusyButtonProps) {
  const off = busy || idle;
  return (
    <Button
      {...rest}
      type={onClick ? 'button' : 'submit'}
      aria-busy={busy}
      aria-disabled={off}
      data-disabled={off || undefined}
      onClick={off ? undefined : onClick}
    >
      <span className={classes.label} data-other={busy ? label : busyLabel}>
        {busy ? busyLabel : label}
      </span>
    </Button>
  );
}
