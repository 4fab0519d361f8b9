import { subtractNano, addNano, multiplyNano, formatUsd } from '#platform/shared/money.ts'
import type { GatewayCall } from '../call.ts'
import type { Funds } from '../deps.ts'
import { sendWholeAnswer, writeIdHeaders, sendCallRefusal } from '../reply/reply.ts'
import type { FundsFormat } from '../request/locate.ts'

const dollars = (nano: bigint): number => Number(formatUsd(nano))
/** Units per dollar of one of these formats. */
const UNITS_A_DOLLAR = 500_000
const units = (nano: bigint): number => Math.floor(dollars(nano) * UNITS_A_DOLLAR)
const seconds = (at: Date | undefined): number => (at === undefined ? 0 : Math.floor(at.getTime() / 1_000))

/**
 * Balance formats of the clients and scripts that request it. Limit minus use is always the remainder, whatever days a client requests: use
 * is the account's of this month, and for `token` and `key` the key's since its creation.
 */
const FORMS: Readonly<Record<FundsFormat, (funds: Funds) => object>> = {
  /** OpenAI's old billing page, which chat clients still read: dollars. */
  subscription: ({ balance, usedThisMonth, keyExpiresAt }) => {
    const limit = dollars(addNano(balance, usedThisMonth))
    return {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: seconds(keyExpiresAt),
    }
  },
  /** Usage endpoint that belongs to it: hundredths of a dollar. */
  usage: ({ usedThisMonth }) => ({ object: 'list', total_usage: dollars(multiplyNano(usedThisMonth, 100)) }),
  grants: ({ balance, usedThisMonth }) => ({
    object: 'credit_summary',
    total_granted: dollars(addNano(balance, usedThisMonth)),
    total_used: dollars(usedThisMonth),
    total_available: dollars(balance),
  }),
  /**
   * DeepSeek's format (https://api-docs.deepseek.com/api/get-user-balance), plus the members that usage scripts read: `is_active`,
   * `balance`.
   */
  balance: ({ balance, granted }) => ({
    is_available: balance > 0n,
    balance_infos: [
      { currency: 'USD', total_balance: formatUsd(balance), granted_balance: formatUsd(granted), topped_up_balance: formatUsd(subtractNano(balance, granted)) },
    ],
    is_active: true,
    balance: dollars(balance),
    unit: 'USD',
  }),
  /** new-api's format, for one key (https://docs.newapi.pro/en/api/token-usage). */
  token: ({ balance, usedByKey, keyName, keyModels, keyExpiresAt }) => ({
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: keyName,
      total_granted: units(usedByKey) + units(balance),
      total_used: units(usedByKey),
      total_available: units(balance),
      unlimited_quota: false,
      model_limits: Object.fromEntries((keyModels ?? []).map((model) => [model, true])),
      model_limits_enabled: keyModels !== undefined,
      expires_at: seconds(keyExpiresAt),
    },
  }),
  /** OpenRouter's format (https://openrouter.ai/docs/api-reference). */
  credits: ({ balance, usedThisMonth }) => ({ data: { total_credits: dollars(addNano(balance, usedThisMonth)), total_usage: dollars(usedThisMonth) } }),
  key: ({ balance, usedByKey, keyName }) => ({
    data: { label: keyName, usage: dollars(usedByKey), limit: dollars(addNano(balance, usedByKey)), limit_remaining: dollars(balance), is_free_tier: false },
  }),
  plain: ({ balance, usedThisMonth }) => ({
    object: 'list',
    isValid: true,
    is_active: true,
    balance: dollars(balance),
    remaining: dollars(balance),
    used: dollars(usedThisMonth),
    total_usage: dollars(multiplyNano(usedThisMonth, 100)),
    unit: 'USD',
    data: [],
  }),
}

/** Responds with the balance in the client's format. Debt is reported as a negative balance. */
export async function answerFunds(call: GatewayCall, form: FundsFormat): Promise<void> {
  const { deps } = call
  let funds: Funds | undefined
  try {
    funds = await deps.fundsOf?.(call.apiKey!)
  } catch (error) {
    deps.log.error({ error, requestId: call.requestId }, 'balance lookup failed')
  }
  if (funds === undefined) {
    sendCallRefusal(call, { cause: 'unavailable', message: 'The balance cannot be read at the moment. Try again shortly.' }, '1')
    return
  }
  const body = JSON.stringify(FORMS[form](funds))
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(body)), 'cache-control', 'no-store']
  writeIdHeaders(call, headers)
  call.status = 200
  sendWholeAnswer(call, 200, headers, body)
}
