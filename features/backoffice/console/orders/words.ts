import { createTextLookup } from '#platform/shared/texts.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { findChannelBrand } from '#features/payments/contract-channels.ts'
import { toOrderTitleKey, titleTexts } from '#features/payments/texts-titles.ts'
import { moneyTexts } from './texts.ts'

/** Labels for the server's names, by kind. The server may add names, so one without a label is shown as is, a channel by its brand. */
const WORDS = {
  actor: createTextLookup(moneyTexts, 'actor_'),
  attempt: createTextLookup(moneyTexts, 'attempt_'),
  channel: createTextLookup(moneyTexts, 'channel_'),
  dispute: createTextLookup(moneyTexts, 'dispute_'),
  event: createTextLookup(moneyTexts, 'event_'),
  fact: createTextLookup(moneyTexts, 'fact_'),
  form: createTextLookup(moneyTexts, 'form_'),
  goes: createTextLookup(moneyTexts, 'goes_'),
  outcome: createTextLookup(moneyTexts, 'outcome_'),
  refund: createTextLookup(moneyTexts, 'refund_'),
  source: createTextLookup(moneyTexts, 'source_'),
  state: createTextLookup(moneyTexts, 'state_'),
  step: createTextLookup(moneyTexts, 'step_'),
  wreason: createTextLookup(moneyTexts, 'wreason_'),
  wstate: createTextLookup(moneyTexts, 'wstate_'),
}
export function useMoneyWord(): (of: keyof typeof WORDS, name: string | number) => string {
  const lang = useLang()
  return (of, name) => WORDS[of](lang, name) ?? (of === 'channel' ? findChannelBrand(Number(name)) : undefined) ?? String(name)
}

/** Name of an order type, as customers see it. */
export function useOrderTypeTitle(): (orderType: number) => string {
  const t = useTexts(titleTexts)
  return (orderType) => t(toOrderTitleKey(orderType))
}
