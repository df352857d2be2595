import { Chip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './choice-chips.module.css';

interface ChoiceChipsProps {
  legend: string;
  hint?: string;
  options: readonly string[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
  error?: ReactNode;
}

/** Any number of choices. */
export function ChoiceChips({ legend, hint, options, chosen, onChange, error }: ChoiceChipsProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{legend}</legend>
      {hint && <p className={classes.hint}>{hint}</p>}
      <div className={classes.chips}>
        <Chip.Group multiple value={chosen} onChange={onChange}>
          {options.map((option) => (
            <Chip key={option} value={option} classNames={{ label: classes.chip }}>
              {option}
            </Chip>
          ))}
        </Chip.Group>
      </div>
      {error && (
        <p className={`field-error ${classes.error}`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
