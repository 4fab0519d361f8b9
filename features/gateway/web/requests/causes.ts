import type { gatewayTexts } from '../../texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type CauseTextKey = TextKeyOf<typeof gatewayTexts>
interface CauseTexts {
  /** In a row. */
  readonly why: CauseTextKey
  /** Remedy for the key's owner. */
  readonly remedy: CauseTextKey
  /** Location of the remedy: the key's dialog, the recharge dialog, or the price list. */
  readonly at?: 'key' | 'recharge' | 'prices'
}

const limitCause = (why: CauseTextKey): CauseTexts => ({ why, remedy: 'doLimit', at: 'key' })
const requestCause = (why: CauseTextKey): CauseTexts => ({ why, remedy: 'doRequest' })

/** Explanations of the model API's refusals for users. */
const CAUSES: Readonly<Record<string, CauseTexts | undefined>> = {
  no_money: { why: 'cause_money', remedy: 'doMoney', at: 'recharge' },
  key_disabled: { why: 'cause_disabled', remedy: 'doDisabled', at: 'key' },
  key_paused: { why: 'cause_paused', remedy: 'doSupport' },
  calls_frozen: { why: 'cause_callsFrozen', remedy: 'doSupport' },
  key_expired: { why: 'cause_expired', remedy: 'doExpired', at: 'key' },
  wrong_network: { why: 'cause_network', remedy: 'doNetwork', at: 'key' },
  model_not_allowed: { why: 'cause_model', remedy: 'doModel', at: 'key' },
  no_model: { why: 'cause_noModel', remedy: 'doNoModel', at: 'prices' },
  too_many_requests: limitCause('cause_requests'),
  too_many_tokens: limitCause('cause_tokens'),
  larger_than_minute: limitCause('cause_tokens'),
  too_many_at_once: limitCause('cause_atOnce'),
  day_budget: limitCause('cause_day'),
  month_budget: limitCause('cause_month'),
  too_large: requestCause('cause_large'),
  too_deep: requestCause('cause_large'),
  wrong_dialect: requestCause('cause_unsupported'),
  cannot_translate: requestCause('cause_unsupported'),
  not_kept: requestCause('cause_unsupported'),
  unsupported: requestCause('cause_unsupported'),
  unavailable: { why: 'cause_unavailable', remedy: 'doRetry' },
  body_timeout: { why: 'cause_slow', remedy: 'doRetry' },
}

export const getCauseTexts = (cause: string | null): CauseTexts => CAUSES[cause ?? ''] ?? requestCause('cause_request')
