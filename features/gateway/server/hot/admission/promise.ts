import { least, minus, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Call } from '../call.ts'
import type { Lease, Refusal } from '../deps.ts'
import type { Refused } from '../errors.ts'
import { LEAST_OUTPUT, affordableOutput, cheapest, isCountable, needOf } from './hold.ts'
import type { Need } from './hold.ts'
import { refuse } from '../reply/reply.ts'
import { splice } from '../json/notes.ts'
import { isProblem } from '../problem.ts'

/** How a call's need becomes a promise of money, and what becomes of the call where there is less. */

export function askJournal(call: Call, wanted: Nano, floor: Nano): Lease | Refusal | Promise<Lease | Refusal> {
  try {
    const answer = call.deps.journal.admit(call.apiKey!, wanted, least(wanted, floor))
    return answer instanceof Promise ? answer.catch((error: unknown) => failed(call, error)) : answer
  } catch (error) {
    return failed(call, error)
  }
}

function failed(call: Call, error: unknown): Refusal {
  call.deps.log.error({ error, requestId: call.requestId }, 'admission failed')
  return 'unavailable'
}

/** Retries with the text counted exactly after one token per byte exceeded the balance, unless even the densest text would. */
export async function askOnceCounted(call: Call, need: Need, wanted: Nano): Promise<{ need: Need; lease: Lease | Refusal } | undefined> {
  const { deps, body } = call
  if (need.media !== undefined || !isCountable(call, need.bounds)) return undefined
  const free = deps.journal.free?.(call.apiKey!.accountId)
  if (free !== undefined && free < cheapest(call, need)) return undefined
  const { omitted } = need.bounds
  const counted = await deps.countTokens!(
    omitted.length === 0
      ? body
      : splice(
          body,
          omitted.map(({ start, end }) => ({ start, end, text: '' })),
        ),
    call.model!.vendor,
    call.apiKey!.accountId,
  )
  if (counted === undefined) return undefined
  const again = needOf(call, counted, need.bounds)
  return { need: again, lease: await askJournal(call, least(wanted, again.wanted), again.least) }
}

/** Writes into the request what the promise takes for granted: a cap that it covers, and a limit to the vendor's own tools. */
export function fit(call: Call, need: Need, held: Nano): void {
  const rules = call.rules!
  let { body } = call
  if (need.bounds.isLoose && rules.withToolCalls !== undefined) body = rules.withToolCalls(body)
  if (held < need.wanted && rules.withCap !== undefined) {
    call.outputCap = affordableOutput(call, need, held)
    body = rules.withCap(body, call.outputCap)
  }
  if (body !== call.body) rewrite(call, body)
}

/** Another body in the place of the call's, which says the same but for what was written into it. */
function rewrite(call: Call, body: Buffer): void {
  const rules = call.rules!
  const facts = rules.readFacts(body, call.facts!.model, call.translation?.method ?? call.target!.method, call.head.contentType)
  call.body = body
  if (!isProblem(facts)) call.facts = { ...call.facts!, modelRanges: facts.modelRanges, streamOptions: facts.streamOptions, outputCap: facts.outputCap }
}

export function refuseMoney(call: Call, need: Need, refusal: Refusal): void {
  if (refusal === 'unavailable') {
    refuse(call, { cause: 'unavailable', message: 'Your balance cannot be checked at the moment. Try again shortly; nothing was charged.' }, '1')
    return
  }
  if (refusal === 'too_much_held') {
    refuse(call, TOO_MUCH_HELD, '1')
    return
  }
  refuse(call, { cause: 'no_money', message: shortMessage(call, need) })
}

/** Refusal above the at-risk limit. Omits the figure, which is a setting. */
export const TOO_MUCH_HELD: Refused = {
  cause: 'too_many_at_once',
  message:
    'Your account’s calls under way hold as much money as one account may at once. Please try again when one of them has ended. Write to us if you need more.',
  retryMs: 1_000,
}

const dollars = (amount: Nano): string => `$${usd(amount)}`
const tokens = (count: number): string => count.toLocaleString('en-US')

/** Amount to add to the balance so that the call is admitted. */
export function missingOf(call: Call, need: Need): Nano {
  const free = call.deps.journal.free?.(call.apiKey!.accountId) ?? 0n
  return free < need.least ? minus(need.least, free) : 0n
}

/** Refusal text: the missing amount and possible remedies. */
export function shortMessage(call: Call, need: Need): string {
  const { deps, apiKey, facts } = call
  const free = deps.journal.free?.(apiKey!.accountId) ?? 0n
  const isCapped = need.least === need.wanted
  const output = isCapped ? need.output : Math.min(need.output, LEAST_OUTPUT * facts!.copies)
  const parts =
    need.media !== undefined ? '' : `: ${tokens(need.input)} tokens of input at most and ${isCapped ? 'up to' : 'at least'} ${tokens(output)} of output`
  const remedies = [`Add credit at ${deps.brand.consoleUrl()}`]
  const cap = need.media === undefined && facts!.outputCap !== undefined ? affordableOutput(call, need, free) : 0
  if (cap > 0) remedies.push(`lower \`${facts!.capField ?? 'max_tokens'}\` to ${cap} or less`)
  if (need.media === undefined) remedies.push('send a shorter input')
  return `This request may cost ${dollars(need.least)}${parts}. ${dollars(free)} of your balance is free, so ${dollars(missingOf(call, need))} is missing. ${remedies.slice(0, -1).join(', ')}${remedies.length > 1 ? ', or ' : ''}${remedies.at(-1)}.`
}
