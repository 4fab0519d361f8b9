import type { ReplyOf } from '#platform/shared/contract.ts'
import type { alertsContract } from '../../contract-alerts.ts'

type Problem = NonNullable<ReplyOf<(typeof alertsContract)['alerts']>['deliveries'][number]['problem']>

/** Recorded delivery errors (deliver-webhook.ts, public-call.ts) with the code that the owner's page translates. */
const KNOWN_PROBLEMS: readonly (readonly [RegExp, Problem['code']])[] = [
  [/^the answer was HTTP (\d+)$/, 'status'],
  [/^no answer within (\d+) s$/, 'silent'],
  [/^the connection failed \((.+)\)$/, 'connection'],
  [/^the name could not be resolved$/, 'name'],
  [/^the address is not public$/, 'address'],
  [/^the webhook was removed$/, 'removed'],
  [/^the account is frozen$/, 'frozen'],
  [/^too many deliveries wait$/, 'crowded'],
]

export function readProblem(text: string): Problem {
  for (const [pattern, code] of KNOWN_PROBLEMS) {
    const match = pattern.exec(text)
    if (match) return { code, detail: match[1] ?? '' }
  }
  return { code: 'connection', detail: text }
}
