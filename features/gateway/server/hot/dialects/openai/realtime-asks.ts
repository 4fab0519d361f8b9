import { valuesOf, wordsOf } from '../../json/elements.ts'
import { scanObject } from '../../json/scan.ts'
import type { Member } from '../../json/scan.ts'
import { UNKNOWN_TOOL } from '../../terms/openai.ts'
import { REALTIME_FIELDS, REALTIME_TOOLS } from '../../terms/openai-media.ts'
import { refusalOf, refusedNames } from '../../terms/terms.ts'
import { eachTool, refusedField } from '../asks.ts'
import type { FieldProblem } from '../../problem.ts'

const REFUSED = refusedNames(REALTIME_FIELDS)
const WANTED = ['tools', ...REFUSED]

/** The first thing in the session or the response of an event that is not sold; where a name comes twice, in any of them. */
export function notSoldInRealtime(frame: Buffer, name: 'session' | 'response'): FieldProblem | undefined {
  const outer: Member[] = []
  scanObject(frame, 0, frame.length, [name], outer)
  for (const range of valuesOf(frame, outer, name)) {
    const found: Member[] = []
    scanObject(frame, range.start, range.end, WANTED, found)
    const problem = refusedField(frame, found, REALTIME_FIELDS, REFUSED) ?? refusedTool(frame, valuesOf(frame, found, 'tools'))
    if (problem !== undefined) return { field: `${name}.${problem.field}`, message: problem.message }
  }
  return undefined
}

function refusedTool(frame: Buffer, lists: readonly Member[]): FieldProblem | undefined {
  return eachTool(frame, lists, ['type'], (tool) => {
    for (const type of wordsOf(frame, tool, 'type')) {
      const message = refusalOf(Object.hasOwn(REALTIME_TOOLS, type) ? REALTIME_TOOLS[type] : { refused: UNKNOWN_TOOL }, type)
      if (message !== undefined) return { field: 'tools', message }
    }
    return undefined
  })
}
