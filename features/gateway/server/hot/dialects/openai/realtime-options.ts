import { filterMembers, readMemberTexts } from '../../json/elements.ts'
import { scanObject } from '../../json/scan.ts'
import type { JsonMember } from '../../json/scan.ts'
import { UNKNOWN_TOOL } from '../../terms/openai.ts'
import { REALTIME_FIELDS, REALTIME_TOOLS } from '../../terms/openai-media.ts'
import { describeTermsRefusal, listRefusedNames } from '../../terms/terms.ts'
import { visitTools, findRefusedField } from '../billable-options.ts'
import type { FieldProblem } from '../../problem.ts'

const REFUSED = listRefusedNames(REALTIME_FIELDS)
const WANTED = ['tools', ...REFUSED]

/** The first unsold part in the session or the response of an event; all copies of a repeated name are checked. */
export function findUnsoldRealtimeField(frame: Buffer, name: 'session' | 'response'): FieldProblem | undefined {
  const outer: JsonMember[] = []
  scanObject(frame, 0, frame.length, [name], outer)
  for (const range of filterMembers(frame, outer, name)) {
    const found: JsonMember[] = []
    scanObject(frame, range.start, range.end, WANTED, found)
    const problem = findRefusedField(frame, found, REALTIME_FIELDS, REFUSED) ?? findRefusedTool(frame, filterMembers(frame, found, 'tools'))
    if (problem !== undefined) return { field: `${name}.${problem.field}`, message: problem.message }
  }
  return undefined
}

function findRefusedTool(frame: Buffer, lists: readonly JsonMember[]): FieldProblem | undefined {
  return visitTools(frame, lists, ['type'], (tool) => {
    for (const type of readMemberTexts(frame, tool, 'type')) {
      const message = describeTermsRefusal(Object.hasOwn(REALTIME_TOOLS, type) ? REALTIME_TOOLS[type] : { refused: UNKNOWN_TOOL }, type)
      if (message !== undefined) return { field: 'tools', message }
    }
    return undefined
  })
}
