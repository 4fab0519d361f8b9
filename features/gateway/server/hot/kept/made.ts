import type { Call } from '../call.ts'
import { jsonStart } from '../dialects/sse.ts'
import { memberOf, parseRange, scanObject, skipSpace, skipValue } from '../json/scan.ts'
import type { Member } from '../json/scan.ts'

/** More items than any answer has. */
const MOST = 500
const OPEN_OBJECT = 123,
  OPEN_LIST = 91,
  COMMA = 44,
  FALSE = 102

/**
 * The ids of a response that its vendor keeps and of what it put out, and of the containers that its code ran in, which live on even where the
 * answer is not kept: from now on the account may name them. Undefined where there are none. `answer`: the response itself, or the event of a stream that holds it.
 */
export function madeIds(call: Call, answer: Buffer | undefined): readonly string[] | undefined {
  if (answer === undefined || call.rules!.id !== 'openai-responses' || call.translation !== undefined) return undefined
  const from = jsonStart(answer)
  const inEvent = from < 0 ? undefined : memberOf(answer, from, answer.length, 'response')
  const start = inEvent !== undefined && answer[inEvent.start] === OPEN_OBJECT ? inEvent.start : from
  const found: Member[] = []
  if (start < 0 || scanObject(answer, start, answer.length, ['id', 'store', 'output'], found) < 0) return undefined
  const last = (key: string): Member | undefined => found.findLast((member) => member.key === key)
  const store = last('store')
  const isKept = store === undefined || answer[store.start] !== FALSE
  const ids: string[] = []
  if (isKept) add(ids, answer, last('id'))
  const output = last('output')
  if (output === undefined || answer[output.start] !== OPEN_LIST) return isKept ? ids : undefined
  for (let at = skipSpace(answer, output.start + 1, output.end); at < output.end - 1 && ids.length < MOST;) {
    const end = skipValue(answer, at, output.end)
    if (end < 0) break
    if (answer[at] === OPEN_OBJECT) {
      if (isKept) add(ids, answer, memberOf(answer, at, end, 'id'))
      add(ids, answer, memberOf(answer, at, end, 'container_id'))
    }
    at = skipSpace(answer, end, output.end)
    if (answer[at] === COMMA) at = skipSpace(answer, at + 1, output.end)
  }
  return isKept || ids.length > 0 ? ids : undefined
}

function add(ids: string[], answer: Buffer, at: Member | undefined): void {
  const id = at === undefined ? undefined : parseRange(answer, at)
  if (typeof id === 'string' && id !== '' && id.length <= 200) ids.push(id)
}
