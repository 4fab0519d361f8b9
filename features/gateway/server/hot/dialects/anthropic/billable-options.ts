import {
  visitObjects,
  isWord,
  mayContainWords,
  filterMembers,
  readMemberWholeNumber,
  decodeShortText,
  readMemberWord,
  readMemberTexts,
} from '../../json/elements.ts'
import type { Factor } from '../../deps.ts'
import type { JsonMember } from '../../json/scan.ts'
import { FREE_CODE_TOOLS, FREE_CODE_SINCE, MESSAGES_FIELDS, MESSAGES_TOOLS, INFERENCE_REGIONS, SPEEDS, parseToolFamily } from '../../terms/anthropic.ts'
import { describeTermsRefusal, listRefusedNames } from '../../terms/terms.ts'
import { MAX_TOOL_USES, NO_BILLABLE_OPTIONS, visitTools, findRefusedField, checkPricedCount } from '../billable-options.ts'
import type { BillableOptionRules, BillableStep, BillableTool } from '../billable-options.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'

const REFUSED = listRefusedNames(MESSAGES_FIELDS)
/** A code container lives for at most an hour after its last use; at least five minutes are billed. */
const MAX_CODE_SECONDS = 3_600
/** Output tokens of an advisor without a limit: the maximum of any model of the vendor. */
const MAX_ADVICE_TOKENS = 128_000

export const messagesOptionRules: BillableOptionRules = {
  wanted: ['speed', 'inference_geo', 'tools', 'fallbacks', 'messages', ...REFUSED],
  read(body, members) {
    const refused = findRefusedField(body, members, MESSAGES_FIELDS, REFUSED) ?? findLateTools(body, members)
    if (refused !== undefined) return refused
    const factors: Factor[] = []
    for (const range of filterMembers(body, members, 'speed')) {
      const speed = decodeShortText(body, range)
      if (speed === undefined || !Object.hasOwn(SPEEDS, speed)) return { field: 'speed', message: '`speed` must be `standard` or `fast`.' }
      if (speed === 'fast') factors.push('fast')
    }
    for (const range of filterMembers(body, members, 'inference_geo')) {
      const region = decodeShortText(body, range)
      if (region === undefined || !Object.hasOwn(INFERENCE_REGIONS, region))
        return { field: 'inference_geo', message: '`inference_geo` must be `global` or `us`.' }
      if (region === 'us') factors.push('us')
    }
    const steps: BillableStep[] = []
    const tools = readTools(body, filterMembers(body, members, 'tools'), steps)
    if (isProblem(tools)) return tools
    const tooMany = readFallbacks(body, filterMembers(body, members, 'fallbacks'), steps, factors)
    if (tooMany !== undefined) return tooMany
    return factors.length === 0 && tools.length === 0 && steps.length === 0
      ? NO_BILLABLE_OPTIONS
      : { ...NO_BILLABLE_OPTIONS, factors: [...new Set(factors)], tools, steps }
  },
}

const MESSAGE = ['content', 'tool_changes']
const BLOCK = ['type', 'tool_changes']
const LATE_TOOL_WORDS = ['tool_addition', 'tool_changes']

/** A turn may add tools that `tools` does not name: they would be neither held for nor priced. */
function findLateTools(body: Buffer, members: readonly JsonMember[]): FieldProblem | undefined {
  if (!mayContainWords(body, LATE_TOOL_WORDS)) return undefined
  let found = false
  const block = (one: readonly JsonMember[]): void | false => {
    for (const member of one) found ||= member.key === 'tool_changes' || (member.key === 'type' && isWord(body, member, 'tool_addition'))
    return found ? false : undefined
  }
  for (const list of filterMembers(body, members, 'messages'))
    visitObjects(body, list, MESSAGE, (message) => {
      if (block(message) === false) return false
      for (const member of message) if (member.key === 'content') visitObjects(body, member, BLOCK, block)
      return found ? false : undefined
    })
  return found ? { field: 'messages', message: '`tool_addition` is not sold here. Name every tool in `tools`.' } : undefined
}

const PRICED: ReadonlySet<string> = new Set(['web_search', 'code_execution', 'advisor'])

/** Terms of a tool's type: the same for all tools of that type in a request. */
interface ToolKind {
  readonly family: string
  readonly problem: FieldProblem | undefined
  readonly freesCode: boolean
}

function readToolKind(type: string): ToolKind {
  const family = parseToolFamily(type)
  const message = describeTermsRefusal(
    Object.hasOwn(MESSAGES_TOOLS, family) ? MESSAGES_TOOLS[family] : { refused: 'is not sold here. Leave it out of `tools`.' },
    type,
  )
  return {
    family,
    problem: message === undefined ? undefined : { field: 'tools', message },
    freesCode: (FREE_CODE_TOOLS.exec(type)?.[1] ?? '') >= FREE_CODE_SINCE,
  }
}

function readTools(body: Buffer, lists: readonly JsonMember[], steps: BillableStep[]): BillableTool[] | FieldProblem {
  const tools: BillableTool[] = []
  let freesCode = false
  const kinds = new Map<string, ToolKind>()
  const read = (tool: readonly JsonMember[]): FieldProblem | undefined => {
    // If a tool can be read in several ways, each family counts once.
    let families: Set<string> | undefined
    for (const type of readMemberTexts(body, tool, 'type')) {
      let kind = kinds.get(type)
      if (kind === undefined) kinds.set(type, (kind = readToolKind(type)))
      if (kind.problem !== undefined) return kind.problem
      freesCode ||= kind.freesCode
      if (PRICED.has(kind.family)) (families ??= new Set()).add(kind.family)
    }
    if (families === undefined) return undefined
    const most = readMemberWholeNumber(body, tool, 'max_uses') ?? MAX_TOOL_USES
    for (const family of families) {
      if (family === 'web_search') tools.push({ kind: 'webSearches', most, each: 1 })
      else if (family === 'code_execution') tools.push({ kind: 'codeSeconds', most: MAX_CODE_SECONDS, each: 1 })
      else
        steps.push({
          model: readMemberWord(body, tool, 'model'),
          times: most,
          output: readMemberWholeNumber(body, tool, 'max_tokens') ?? MAX_ADVICE_TOKENS,
          imageTokens: undefined,
        })
    }
    return checkPricedCount('tools', tools.length + steps.length)
  }
  const problem = visitTools(body, lists, ['type', 'max_uses', 'model', 'max_tokens'], read)
  return problem ?? (freesCode ? tools.filter(({ kind }) => kind !== 'codeSeconds') : tools)
}

/** Each fallback may be tried, and is billed; the word `default` leaves the choice to the vendor. */
function readFallbacks(body: Buffer, lists: readonly JsonMember[], steps: BillableStep[], factors: Factor[]): FieldProblem | undefined {
  let problem: FieldProblem | undefined
  for (const list of lists) {
    if (decodeShortText(body, list) !== undefined) steps.push({ model: undefined, times: 1, output: undefined, imageTokens: undefined })
    visitObjects(body, list, ['model', 'max_tokens', 'speed'], (fallback) => {
      if (readMemberWord(body, fallback, 'speed') === 'fast') factors.push('fast')
      steps.push({
        model: readMemberWord(body, fallback, 'model'),
        times: 1,
        output: readMemberWholeNumber(body, fallback, 'max_tokens'),
        imageTokens: undefined,
      })
      problem = checkPricedCount('fallbacks', steps.length)
      return problem === undefined
    })
  }
  return problem
}
