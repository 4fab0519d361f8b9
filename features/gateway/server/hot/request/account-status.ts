import type { GatewayCall } from '../call.ts'
import type { Lease, FundsRefusal } from '../deps.ts'
import { checkQuota } from '../admission/limits.ts'
import { TOO_MUCH_HELD } from '../admission/promise.ts'
import { sendCallRefusal } from '../reply/reply.ts'

/** Smallest amount: an account that cannot pay it can pay nothing. */
const MIN_AMOUNT = 1n

/**
 * Checks before reading a large body that the account can pay anything and its key may call at all; reads memory if a lease is available.
 * The actual hold follows once the request is read (admit.ts). Returns false if refused.
 */
export async function checkAccountStatus(call: GatewayCall): Promise<boolean> {
  const { deps } = call
  const key = call.apiKey!
  if (key.limits?.counted === true && !(await checkQuota(call))) return false
  let lease: Lease | FundsRefusal
  try {
    const admitted = deps.journal.admit(key, MIN_AMOUNT)
    lease = admitted instanceof Promise ? await admitted : admitted
  } catch (error) {
    deps.log.error({ error, requestId: call.requestId }, 'standing lookup failed')
    lease = 'unavailable'
  }
  if (typeof lease !== 'string') {
    deps.journal.giveBack(lease.leaseId, MIN_AMOUNT)
    return true
  }
  if (lease === 'unavailable')
    sendCallRefusal(call, { cause: 'unavailable', message: 'Your balance cannot be checked at the moment. Try again shortly; nothing was charged.' }, '1')
  else if (lease === 'too_much_held') sendCallRefusal(call, TOO_MUCH_HELD, '1')
  else
    sendCallRefusal(call, {
      cause: 'no_money',
      message: `Your credit balance is used up. Add credit at ${deps.brand.consoleUrl()} and send the request again.`,
    })
  return false
}
