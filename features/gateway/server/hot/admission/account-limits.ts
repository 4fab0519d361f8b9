import type { GatewayCall } from '../call.ts'
import type { AccountShare } from '../deps.ts'
import type { RequestRefusal } from '../errors.ts'
import { sendCallRefusal } from '../reply/reply.ts'

/**
 * Per-account limits of this process, independent of key limits: requests per minute and concurrent calls, counted in memory. Each
 * process enforces its share (`AccountShare`), so that N processes together exceed a limit by at most N - 1. Normal use stays far
 * below; it stops runaway loops, stolen keys and accounts that would crowd out others.
 */
export interface AccountGate {
  /** Counts the call; returns false if it was refused. */
  enter(call: GatewayCall): boolean
  /** Releases the call's slot. No-op for calls that were not counted. */
  leave(call: GatewayCall): void
}

/** Requests of this minute and of the previous one, weighted into a sliding minute. */
interface Use {
  atOnce: number
  minute: number
  now: number
  before: number
}

const MINUTE_MS = 60_000
const RETRY_AT_ONCE_MS = 1_000

export function createAccountGate(share: (() => AccountShare) | undefined): AccountGate {
  const uses = new Map<bigint, Use>()
  let cleared = 0

  /** Once a minute, drop the entries of idle accounts. */
  const clear = (minute: number): void => {
    cleared = minute
    for (const [account, use] of uses) if (use.atOnce === 0 && use.minute < minute - 1) uses.delete(account)
  }
  const turn = (use: Use, minute: number): void => {
    if (use.minute === minute) return
    use.before = use.minute === minute - 1 ? use.now : 0
    use.now = 0
    use.minute = minute
  }

  return {
    enter(call) {
      if (share === undefined) return true
      const { accountId } = call.apiKey!
      const minute = Math.floor(call.startedAt / MINUTE_MS)
      if (minute !== cleared) clear(minute)
      let use = uses.get(accountId)
      if (use === undefined) {
        use = { atOnce: 0, minute, now: 0, before: 0 }
        uses.set(accountId, use)
      }
      turn(use, minute)
      const { requestsMinute, atOnce } = share()
      const into = call.startedAt - minute * MINUTE_MS
      const used = use.now + use.before * (1 - into / MINUTE_MS)
      if (used >= requestsMinute) {
        const resetMs = MINUTE_MS - into
        call.standing = { requests: { limit: requestsMinute, left: 0, resetMs }, tokens: undefined }
        return refuseOverLimit(call, buildMinuteRefusal(requestsMinute, resetMs))
      }
      if (use.atOnce >= atOnce) return refuseOverLimit(call, buildConcurrencyRefusal(use.atOnce, atOnce))
      use.now++
      use.atOnce++
      call.inAccount = true
      return true
    },
    leave(call) {
      if (!call.inAccount) return
      call.inAccount = false
      uses.get(call.apiKey!.accountId)!.atOnce--
    },
  }
}

function refuseOverLimit(call: GatewayCall, why: RequestRefusal): false {
  sendCallRefusal(call, why, String(Math.ceil(why.retryMs! / 1_000)))
  return false
}

const MORE_HINT = 'Write to us if you need more.'

function buildMinuteRefusal(limit: number, retryMs: number): RequestRefusal {
  const message = `Your account has made ${limit} requests in a minute here, the most that one account may. Please try again in ${Math.ceil(retryMs / 1_000)}s. ${MORE_HINT}`
  return { cause: 'too_many_requests', message, retryMs }
}

function buildConcurrencyRefusal(used: number, limit: number): RequestRefusal {
  const message = `Your account has ${used} requests under way here; one account may have ${limit} at once. Please try again in 1s. ${MORE_HINT}`
  return { cause: 'too_many_at_once', message, retryMs: RETRY_AT_ONCE_MS }
}
