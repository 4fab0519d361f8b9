import type { gatewayTexts } from '../../texts.ts'

type Word = keyof (typeof gatewayTexts)['zh']
interface CauseWords {
  /** In a row. */
  readonly why: Word
  /** Remedy for the key's owner. */
  readonly remedy: Word
  /** Place of the remedy: the key's dialog, the recharge dialog, or the price list. */
  readonly at?: 'key' | 'recharge' | 'prices'
}

const limit = (why: Word): CauseWords => ({ why, remedy: 'doLimit', at: 'key' })
const request = (why: Word): CauseWords => ({ why, remedy: 'doRequest' })

/** The model API's refusals in a person's words. */
const CAUSES: Readonly<Record<string, CauseWords | undefined>> = {
  no_money: { why: 'cause_money', remedy: 'doMoney', at: 'recharge' },
  key_disabled: { why: 'cause_disabled', remedy: 'doDisabled', at: 'key' },
  key_paused: { why: 'cause_paused', remedy: 'doSupport' },
  calls_frozen: { why: 'cause_callsFrozen', remedy: 'doSupport' },
  key_expired: { why: 'cause_expired', remedy: 'doExpired', at: 'key' },
  wrong_network: { why: 'cause_network', remedy: 'doNetwork', at: 'key' },
  model_not_allowed: { why: 'cause_model', remedy: 'doModel', at: 'key' },
  no_model: { why: 'cause_noModel', remedy: 'doNoModel', at: 'prices' },
  too_many_requests: limit('cause_requests'),
  too_many_tokens: limit('cause_tokens'),
  larger_than_minute: limit('cause_tokens'),
  too_many_at_once: limit('cause_atOnce'),
  day_budget: limit('cause_day'),
  month_budget: limit('cause_month'),
  too_large: request('cause_large'),
  too_deep: request('cause_large'),
  wrong_dialect: request('cause_unsupported'),
  cannot_translate: request('cause_unsupported'),
  not_kept: request('cause_unsupported'),
  unsupported: request('cause_unsupported'),
  unavailable: { why: 'cause_unavailable', remedy: 'doRetry' },
  body_timeout: { why: 'cause_slow', remedy: 'doRetry' },
}

export const causeWords = (cause: string | null): CauseWords => CAUSES[cause ?? ''] ?? request('cause_request')
