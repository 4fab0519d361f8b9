import type { GatewayCall } from '../call.ts'
import { settle } from './settle.ts'

/** Gives back the promised money, if any; calls `answer` once the promise is written. */
export function settleUncharged(call: GatewayCall, answer: () => void): void {
  if (call.money === 'none') {
    answer()
    return
  }
  settle(call, 'failed', undefined, undefined).catch((error: unknown) => {
    call.deps.log.error({ error, requestId: call.requestId }, 'release failed; the sweeper will resolve the call')
  })
  call.reserving!.then(answer, () => undefined)
}
