import { minus, plus, times, usd } from '#platform/shared/money.ts'
import type { Call } from '../call.ts'
import type { Funds } from '../deps.ts'
import { finish, idHeaders, refuse } from '../reply/reply.ts'
import type { FundsForm } from '../request/locate.ts'

const dollars = (nano: bigint): number => Number(usd(nano))
/** One of them counts half a million units a dollar. */
const UNITS_A_DOLLAR = 500_000
const units = (nano: bigint): number => Math.floor(dollars(nano) * UNITS_A_DOLLAR)
const seconds = (at: Date | undefined): number => (at === undefined ? 0 : Math.floor(at.getTime() / 1_000))

/**
 * The balance, in the words of those who made the clients and scripts that ask for it. Limit less use is always what is left,
 * whatever days a client asks for: use is the account's of this month, and for `token` and `key` the key's own since it was made.
 */
const FORMS: Readonly<Record<FundsForm, (funds: Funds) => object>> = {
  /** OpenAI's old billing page, which chat clients still read: dollars. */
  subscription: ({ balance, usedThisMonth, keyExpiresAt }) => {
    const limit = dollars(plus(balance, usedThisMonth))
    return {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: seconds(keyExpiresAt),
    }
  },
  /** Beside it: hundredths of a dollar. */
  usage: ({ usedThisMonth }) => ({ object: 'list', total_usage: dollars(times(usedThisMonth, 100)) }),
  grants: ({ balance, usedThisMonth }) => ({
    object: 'credit_summary',
    total_granted: dollars(plus(balance, usedThisMonth)),
    total_used: dollars(usedThisMonth),
    total_available: dollars(balance),
  }),
  /** DeepSeek's form (https://api-docs.deepseek.com/api/get-user-balance), and beside it what usage scripts look for: `is_active`, `balance`. */
  balance: ({ balance, granted }) => ({
    is_available: balance > 0n,
    balance_infos: [{ currency: 'USD', total_balance: usd(balance), granted_balance: usd(granted), topped_up_balance: usd(minus(balance, granted)) }],
    is_active: true,
    balance: dollars(balance),
    unit: 'USD',
  }),
  /** new-api's, for one key (https://docs.newapi.pro/en/api/token-usage). */
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
  /** OpenRouter's (https://openrouter.ai/docs/api-reference). */
  credits: ({ balance, usedThisMonth }) => ({ data: { total_credits: dollars(plus(balance, usedThisMonth)), total_usage: dollars(usedThisMonth) } }),
  key: ({ balance, usedByKey, keyName }) => ({
    data: { label: keyName, usage: dollars(usedByKey), limit: dollars(plus(balance, usedByKey)), limit_remaining: dollars(balance), is_free_tier: false },
  }),
  plain: ({ balance, usedThisMonth }) => ({
    object: 'list',
    isValid: true,
    is_active: true,
    balance: dollars(balance),
    remaining: dollars(balance),
    used: dollars(usedThisMonth),
    total_usage: dollars(times(usedThisMonth, 100)),
    unit: 'USD',
    data: [],
  }),
}

/** Responds with the balance in the client's format. Debt is reported as a negative balance. */
export async function answerFunds(call: Call, form: FundsForm): Promise<void> {
  const { deps } = call
  let funds: Funds | undefined
  try {
    funds = await deps.fundsOf?.(call.apiKey!)
  } catch (error) {
    deps.log.error({ error, requestId: call.requestId }, 'balance lookup failed')
  }
  if (funds === undefined) {
    refuse(call, { cause: 'unavailable', message: 'The balance cannot be read at the moment. Try again shortly.' }, '1')
    return
  }
  const body = JSON.stringify(FORMS[form](funds))
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(body)), 'cache-control', 'no-store']
  idHeaders(call, headers)
  call.status = 200
  finish(call, 200, headers, body)
}
