import { useForm } from '@mantine/form';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useLayoutEffect, useRef } from 'react';
import { refusedAccount } from './refused-account.js';
import { afterPress } from './after-press.js';

type Check<Values> = (values: Values) => Partial<Record<keyof Values, string>>;

interface CheckedFormOptions<Values> {
  /** Letters and dashes; no two forms of a page share one. */
  name: string;
  /** The fields in their order on the page. */
  initialValues: Values;
  /** The text of each field that breaks a rule; all of them are checked each time. */
  check: Check<Values>;
  onChange?: (values: Values) => void;
}

export interface CheckedForm<Values> extends UseFormReturnType<Values> {
  /** For `onSubmit`: sends what passes the check, else focuses the first field that does not. */
  submit: (send: (values: Values) => void) => ReturnType<UseFormReturnType<Values>['onSubmit']>;
  /**
   * Shows what the server refused at the fields it names (`errors[].path`) and focuses the first of them.
   * @returns false when it names no field of this form: then the form has to say it in another way.
   */
  refuse: (error: unknown) => boolean;
}

/**
 * Every form of Pulso: Mantine's `useForm` with one rule for when an error is shown. It appears when a field that was
 * changed is left, and for all fields on submit; from then on it follows what is typed, and goes as soon as the field is
 * valid. What the server refused goes when its field is changed.
 */
export function useCheckedForm<Values extends object>({
  name,
  initialValues,
  check,
  onChange,
}: CheckedFormOptions<Values>): CheckedForm<Values> {
  const focusDue = useRef(false);
  const form: UseFormReturnType<Values> = useForm<Values>({
    name,
    initialValues,
    validate: check,
    clearInputErrorOnChange: false,
    onValuesChange: (values, previous) => {
      form.setErrors((shown) => stillShown(shown, check, values, previous));
      onChange?.(values);
    },
    enhanceGetInputProps: ({ field }) => ({
      name: field,
      onBlur: () => afterPress(() => form.isDirty(field) && markIfWrong(field as keyof Values & string)),
    }),
  });
  const { errors, getInitialValues, getInputNode } = form;

  // Not validateField, which would take away what the server refused.
  const markIfWrong = (field: keyof Values & string) => {
    const text = check(form.getValues())[field];
    if (text !== undefined) form.setErrors((shown) => ({ ...shown, [field]: text }));
  };

  // Once the fields are marked, so that the first one is read out with its error. In the same step: an effect that runs later
  // may be that of another change, or move the focus away from where the user has gone meanwhile.
  useLayoutEffect(() => {
    if (!focusDue.current) return;
    focusDue.current = false;
    const first = Object.keys(getInitialValues()).find((field) => field in errors);
    if (first) getInputNode<HTMLElement, string>(first)?.focus();
  });

  const refuse = (error: unknown): boolean => {
    const refused = Object.entries(refusedAccount(error)).filter(([field]) => field in initialValues);
    if (refused.length === 0) return false;
    focusDue.current = true;
    form.setErrors(Object.fromEntries(refused));
    return true;
  };
  const submit = (send: (values: Values) => void) =>
    form.onSubmit(send, () => void (focusDue.current = true));
  return { ...form, submit, refuse };
}

/** The errors after a change: the form's own as they are now, the server's at the fields that have not been changed. */
function stillShown<Values extends object>(
  shown: FormErrors,
  check: Check<Values>,
  values: Values,
  previous: Values,
): FormErrors {
  const [before, now] = [check(previous), check(values)];
  const next: FormErrors = {};
  for (const field of Object.keys(shown) as (keyof Values & string)[]) {
    const fromServer = before[field] === undefined;
    next[field] = fromServer && values[field] === previous[field] ? shown[field] : now[field];
  }
  return next;
}
