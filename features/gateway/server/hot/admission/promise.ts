import { minNano, subtractNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { GatewayCall } from '../call.ts'
import type { Lease, FundsRefusal } from '../deps.ts'
import type { RequestRefusal } from '../errors.ts'
import { MIN_OUTPUT_TOKENS, computeAffordableOutput, computeMinCost, isCountable, computeHoldNeed } from './hold.ts'
import type { HoldNeed } from './hold.ts'
import { sendCallRefusal } from '../reply/reply.ts'
import { spliceBody } from '../json/notes.ts'
import { isProblem } from '../problem.ts'
import { LANGUAGES, RECORD_LANG } from '#platform/shared/languages.ts'

/** Turns a call's need into a promise of money, and adapts or refuses the call if there is less. */

export function requestLease(call: GatewayCall, wanted: Nano, floor: Nano): Lease | FundsRefusal | Promise<Lease | FundsRefusal> {
  try {
    const answer = call.deps.journal.admit(call.apiKey!, wanted, minNano(wanted, floor))
    return answer instanceof Promise ? answer.catch((error: unknown) => logAdmissionFailure(call, error)) : answer
  } catch (error) {
    return logAdmissionFailure(call, error)
  }
}

function logAdmissionFailure(call: GatewayCall, error: unknown): FundsRefusal {
  call.deps.log.error({ error, requestId: call.requestId }, 'admission failed')
  return 'unavailable'
}

/** Retries with the text counted exactly after one token per byte exceeded the balance, unless even the densest text would. */
export async function retryWithCountedText(
  call: GatewayCall,
  need: HoldNeed,
  wanted: Nano,
): Promise<{ need: HoldNeed; lease: Lease | FundsRefusal } | undefined> {
  const { deps, body } = call
  if (need.media !== undefined || !isCountable(call, need.bounds)) return undefined
  const free = deps.journal.free?.(call.apiKey!.accountId)
  if (free !== undefined && free < computeMinCost(call, need)) return undefined
  const { omitted } = need.bounds
  const counted = await deps.countTokens!(
    omitted.length === 0
      ? body
      : spliceBody(
          body,
          omitted.map(({ start, end }) => ({ start, end, text: '' })),
        ),
    call.model!.vendor,
    call.apiKey!.accountId,
  )
  if (counted === undefined) return undefined
  const again = computeHoldNeed(call, counted, need.bounds)
  return { need: again, lease: await requestLease(call, minNano(wanted, again.wanted), again.least) }
}

/** Writes the promise's assumptions into the request: an output cap that it covers, and a limit for the vendor's own tools. */
export function fitRequestToHold(call: GatewayCall, need: HoldNeed, held: Nano): void {
  const rules = call.rules!
  let { body } = call
  if (need.bounds.isLoose && rules.withToolCalls !== undefined) body = rules.withToolCalls(body)
  if (held < need.wanted && rules.withCap !== undefined) {
    call.outputCap = computeAffordableOutput(call, need, held)
    body = rules.withCap(body, call.outputCap)
  }
  if (body !== call.body) rewrite(call, body)
}

/** Replaces the call's body by an equivalent one, apart from the members written into it. */
function rewrite(call: GatewayCall, body: Buffer): void {
  const rules = call.rules!
  const facts = rules.readFacts(body, call.facts!.model, call.translation?.method ?? call.target!.method, call.head.contentType)
  call.body = body
  if (!isProblem(facts)) call.facts = { ...call.facts!, modelRanges: facts.modelRanges, streamOptions: facts.streamOptions, outputCap: facts.outputCap }
}

export function refuseForFunds(call: GatewayCall, need: HoldNeed, refusal: FundsRefusal): void {
  if (refusal === 'unavailable') {
    sendCallRefusal(call, { cause: 'unavailable', message: 'Your balance cannot be checked at the moment. Try again shortly; nothing was charged.' }, '1')
    return
  }
  if (refusal === 'too_much_held') {
    sendCallRefusal(call, TOO_MUCH_HELD, '1')
    return
  }
  sendCallRefusal(call, { cause: 'no_money', message: describeMissingFunds(call, need) })
}

/** Refusal above the at-risk limit. Omits the figure, which is a setting. */
export const TOO_MUCH_HELD: RequestRefusal = {
  cause: 'too_many_at_once',
  message:
    'Your account’s calls under way hold as much money as one account may at once. Please try again when one of them has ended. Write to us if you need more.',
  retryMs: 1_000,
}

const dollars = (amount: Nano): string => `$${formatUsd(amount)}`
const tokens = (count: number): string => count.toLocaleString(LANGUAGES[RECORD_LANG].tag)

/** Amount to add to the balance so that the call is admitted. */
export function computeMissingAmount(call: GatewayCall, need: HoldNeed): Nano {
  const free = call.deps.journal.free?.(call.apiKey!.accountId) ?? 0n
  return free < need.least ? subtractNano(need.least, free) : 0n
}

/** Refusal text: the missing amount and possible remedies. */
export function describeMissingFunds(call: GatewayCall, need: HoldNeed): string {
  const { deps, apiKey, facts } = call
  const free = deps.journal.free?.(apiKey!.accountId) ?? 0n
  const isCapped = need.least === need.wanted
  const output = isCapped ? need.output : Math.min(need.output, MIN_OUTPUT_TOKENS * facts!.copies)
  const parts =
    need.media !== undefined ? '' : `: ${tokens(need.input)} tokens of input at most and ${isCapped ? 'up to' : 'at least'} ${tokens(output)} of output`
  const remedies = [`Add credit at ${deps.brand.consoleUrl()}`]
  const cap = need.media === undefined && facts!.outputCap !== undefined ? computeAffordableOutput(call, need, free) : 0
  if (cap > 0) remedies.push(`lower \`${facts!.capField ?? 'max_tokens'}\` to ${cap} or less`)
  if (need.media === undefined) remedies.push('send a shorter input')
  return `This request may cost ${dollars(need.least)}${parts}. ${dollars(free)} of your balance is free, so ${dollars(computeMissingAmount(call, need))} is missing. ${remedies.slice(0, -1).join(', ')}${remedies.length > 1 ? ', or ' : ''}${remedies.at(-1)}.`
}
