import type { GatewayCall } from '../call.ts'
import { findJsonStart } from '../dialects/sse.ts'
import { findMember, parseRange, scanObject, skipSpace, skipValue } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'

/** More items than any answer has. */
const MAX_IDS = 500
const OPEN_OBJECT = 123,
  OPEN_LIST = 91,
  COMMA = 44,
  FALSE = 102

/**
 * Ids of a response that its vendor stores, of its output items, and of the containers that its code ran in, which outlive an answer that
 * is not stored. From now on the account may refer to them. Undefined if there are none. `answer`: the response itself, or the stream event
 * that holds it.
 */
export function collectMadeIds(call: GatewayCall, answer: Buffer | undefined): readonly string[] | undefined {
  if (answer === undefined || call.rules!.id !== 'openai-responses' || call.translation !== undefined) return undefined
  const from = findJsonStart(answer)
  const inEvent = from < 0 ? undefined : findMember(answer, from, answer.length, 'response')
  const start = inEvent !== undefined && answer[inEvent.start] === OPEN_OBJECT ? inEvent.start : from
  const found: JsonMember[] = []
  if (start < 0 || scanObject(answer, start, answer.length, ['id', 'store', 'output'], found) < 0) return undefined
  const last = (key: string): JsonMember | undefined => found.findLast((member) => member.key === key)
  const store = last('store')
  const isKept = store === undefined || answer[store.start] !== FALSE
  const ids: string[] = []
  if (isKept) addId(ids, answer, last('id'))
  const output = last('output')
  if (output === undefined || answer[output.start] !== OPEN_LIST) return isKept ? ids : undefined
  for (let at = skipSpace(answer, output.start + 1, output.end); at < output.end - 1 && ids.length < MAX_IDS;) {
    const end = skipValue(answer, at, output.end)
    if (end < 0) break
    if (answer[at] === OPEN_OBJECT) {
      if (isKept) addId(ids, answer, findMember(answer, at, end, 'id'))
      addId(ids, answer, findMember(answer, at, end, 'container_id'))
    }
    at = skipSpace(answer, end, output.end)
    if (answer[at] === COMMA) at = skipSpace(answer, at + 1, output.end)
  }
  return isKept || ids.length > 0 ? ids : undefined
}

function addId(ids: string[], answer: Buffer, at: JsonMember | undefined): void {
  const id = at === undefined ? undefined : parseRange(answer, at)
  if (typeof id === 'string' && id !== '' && id.length <= 200) ids.push(id)
}
