import { NativeSelect, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useConfig } from '../../../shared/config.js';
import type { CheckedForm } from '../../../validation/use-checked-form.js';
import { PROPOSED } from '../profile-draft.js';
import type { Currency, ProfileForm } from '../profile-draft.js';
import { useProfileTexts } from '../texts.js';
import classes from './profile.module.css';

const CURRENCIES: readonly Currency[] = ['MXN', 'USD'];

interface PriceSettingsProps {
  form: CheckedForm<ProfileForm>;
  /** A coach already: somebody may have joined at the present price. */
  mayHaveSubscribers: boolean;
}

/**
 * A coach's price (SUBS-6). No number field: the wheel would change the price, and a decimal comma would be dropped. The other
 * currency takes no amount over, as nothing is converted; each keeps its own.
 */
export function PriceSettings({ form, mayHaveSubscribers }: PriceSettingsProps) {
  const { price } = useProfileTexts().profile;
  const payments = useConfig().data?.payments;
  const { subscriptionPrice, subscriptionCurrency, otherPrice } = form.values;
  const choose = (chosen: Currency) => {
    if (chosen === subscriptionCurrency) return;
    form.setValues({
      subscriptionCurrency: chosen,
      subscriptionPrice: otherPrice,
      otherPrice: subscriptionPrice,
    });
  };
  return (
    <fieldset className={classes.group}>
      <legend className={classes.groupTitle}>{price.title}</legend>
      <div className={classes.priceRow}>
        <NativeSelect
          {...form.getInputProps('subscriptionCurrency')}
          label={price.currency}
          data={[...CURRENCIES]}
          rightSection={<IconChevronDown size={18} aria-hidden />}
          onChange={(event) => choose(event.currentTarget.value as Currency)}
        />
        <TextInput
          {...form.getInputProps('subscriptionPrice')}
          className={classes.grow}
          label={price.amount}
          inputMode="decimal"
          autoComplete="off"
          placeholder={subscriptionCurrency === PROPOSED.currency ? String(PROPOSED.price) : undefined}
        />
      </div>
      {mayHaveSubscribers && <p className={classes.muted}>{price.kept}</p>}
      {payments === 'none' && <p className={classes.muted}>{price.notEnabled}</p>}
    </fieldset>
  );
}
