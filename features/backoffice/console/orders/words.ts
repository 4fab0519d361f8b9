import { wordsOf } from '#platform/shared/texts.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { orderTitleKey, titleTexts } from '#features/payments/texts-titles.ts'
import { moneyTexts } from './texts.ts'

/** The server's names by what they name. They grow with it, so a name without a word is shown as it is. */
const WORDS = {
  actor: wordsOf(moneyTexts, 'actor_'),
  attempt: wordsOf(moneyTexts, 'attempt_'),
  channel: wordsOf(moneyTexts, 'channel_'),
  dispute: wordsOf(moneyTexts, 'dispute_'),
  event: wordsOf(moneyTexts, 'event_'),
  fact: wordsOf(moneyTexts, 'fact_'),
  form: wordsOf(moneyTexts, 'form_'),
  goes: wordsOf(moneyTexts, 'goes_'),
  outcome: wordsOf(moneyTexts, 'outcome_'),
  refund: wordsOf(moneyTexts, 'refund_'),
  source: wordsOf(moneyTexts, 'source_'),
  state: wordsOf(moneyTexts, 'state_'),
  step: wordsOf(moneyTexts, 'step_'),
  wreason: wordsOf(moneyTexts, 'wreason_'),
  wstate: wordsOf(moneyTexts, 'wstate_'),
}
export function useMoneyWord(): (of: keyof typeof WORDS, name: string | number) => string {
  const lang = useLang()
  return (of, name) => WORDS[of](lang, name) ?? String(name)
}

/** Name of an order type, as its customer reads it. */
export function useOrderTitle(): (orderType: number) => string {
  const t = useTexts(titleTexts)
  return (orderType) => t(orderTitleKey(orderType))
}
