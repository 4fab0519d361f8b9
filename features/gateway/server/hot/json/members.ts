import type { FieldProblem } from '../problem.ts'
import { MALFORMED, TRUNCATED, scanObject, skipSpace } from './scan.ts'
import type { JsonMember } from './scan.ts'

/** Reads the top level of a request body; the problem names the field at fault. */
export function readTopLevel(body: Buffer, wanted: readonly string[]): JsonMember[] | FieldProblem {
  if (body.length === 0) return { field: undefined, message: 'The request body is empty; a JSON object is required.' }
  const found: JsonMember[] = []
  const start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  const end = scanObject(body, start, body.length, wanted, found)
  if (end === TRUNCATED) return { field: undefined, message: 'The request body is not valid JSON: it ends before its object does.' }
  if (end === MALFORMED) return { field: undefined, message: 'The request body is not a valid JSON object.' }
  if (skipSpace(body, end, body.length) !== body.length)
    return { field: undefined, message: 'The request body is not valid JSON: something follows its object.' }
  return found
}

/** The last of these members with that key. */
export function findLastMember(members: readonly JsonMember[], key: string): JsonMember | undefined {
  for (let i = members.length - 1; i >= 0; i--) if (members[i]!.key === key) return members[i]
  return undefined
}
