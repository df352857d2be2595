import classes from './choice-chips.module.css';

interface ChoiceChipsProps {
  legend: string;
  hint?: string;
  options: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error?: string;
}

/** Any number of choices, as chips that are check boxes. */
export function ChoiceChips({ legend, hint, options, chosen, onChange, error }: ChoiceChipsProps) {
  const toggle = (option: string) =>
    onChange(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]);
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{legend}</legend>
      {hint && <p className={classes.hint}>{hint}</p>}
      <div className={classes.chips}>
        {options.map((option) => (
          <label key={option} className={classes.chip}>
            <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} />
            {option}
          </label>
        ))}
      </div>
      {error && <p className={classes.error}>{error}</p>}
    </fieldset>
  );
}
