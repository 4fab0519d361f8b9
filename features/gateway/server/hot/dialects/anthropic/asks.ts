import { eachObject, isWord, mayHold, valuesOf, wholeOf, wordAt, wordOf, wordsOf } from '../../json/elements.ts'
import type { Factor } from '../../deps.ts'
import type { Member } from '../../json/scan.ts'
import { FREES_CODE, FREE_CODE_SINCE, MESSAGES_FIELDS, MESSAGES_TOOLS, REGIONS, SPEEDS, familyOf } from '../../terms/anthropic.ts'
import { refusalOf, refusedNames } from '../../terms/terms.ts'
import { MOST_TOOL_USES, NO_ASKS, eachTool, refusedField, tooManyPriced } from '../asks.ts'
import type { AskRules, AskedStep, AskedTool } from '../asks.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'

const REFUSED = refusedNames(MESSAGES_FIELDS)
/** A code container lives for an hour at most after it was used last; five minutes are billed at least. */
const MOST_CODE_SECONDS = 3_600
/** Output tokens of an advisor without a limit: the maximum of any model of the vendor. */
const MOST_ADVICE = 128_000

export const messagesAsks: AskRules = {
  wanted: ['speed', 'inference_geo', 'tools', 'fallbacks', 'messages', ...REFUSED],
  read(body, members) {
    const refused = refusedField(body, members, MESSAGES_FIELDS, REFUSED) ?? broughtLater(body, members)
    if (refused !== undefined) return refused
    const factors: Factor[] = []
    for (const range of valuesOf(body, members, 'speed')) {
      const speed = wordAt(body, range)
      if (speed === undefined || !Object.hasOwn(SPEEDS, speed)) return { field: 'speed', message: '`speed` must be `standard` or `fast`.' }
      if (speed === 'fast') factors.push('fast')
    }
    for (const range of valuesOf(body, members, 'inference_geo')) {
      const region = wordAt(body, range)
      if (region === undefined || !Object.hasOwn(REGIONS, region)) return { field: 'inference_geo', message: '`inference_geo` must be `global` or `us`.' }
      if (region === 'us') factors.push('us')
    }
    const steps: AskedStep[] = []
    const tools = readTools(body, valuesOf(body, members, 'tools'), steps)
    if (isProblem(tools)) return tools
    const tooMany = readFallbacks(body, valuesOf(body, members, 'fallbacks'), steps, factors)
    if (tooMany !== undefined) return tooMany
    return factors.length === 0 && tools.length === 0 && steps.length === 0 ? NO_ASKS : { ...NO_ASKS, factors: [...new Set(factors)], tools, steps }
  },
}

const MESSAGE = ['content', 'tool_changes']
const BLOCK = ['type', 'tool_changes']
const ADDED = ['tool_addition', 'tool_changes']

/** A turn may bring tools that `tools` does not name: they would be neither held for nor priced. */
function broughtLater(body: Buffer, members: readonly Member[]): FieldProblem | undefined {
  if (!mayHold(body, ADDED)) return undefined
  let found = false
  const block = (one: readonly Member[]): void | false => {
    for (const member of one) found ||= member.key === 'tool_changes' || (member.key === 'type' && isWord(body, member, 'tool_addition'))
    return found ? false : undefined
  }
  for (const list of valuesOf(body, members, 'messages'))
    eachObject(body, list, MESSAGE, (message) => {
      if (block(message) === false) return false
      for (const member of message) if (member.key === 'content') eachObject(body, member, BLOCK, block)
      return found ? false : undefined
    })
  return found ? { field: 'messages', message: '`tool_addition` is not sold here. Name every tool in `tools`.' } : undefined
}

const PRICED: ReadonlySet<string> = new Set(['web_search', 'code_execution', 'advisor'])

/** The terms of a tool's type: the same for all tools of it in a request. */
interface ToolKind {
  readonly family: string
  readonly problem: FieldProblem | undefined
  readonly freesCode: boolean
}

function kindOf(type: string): ToolKind {
  const family = familyOf(type)
  const message = refusalOf(Object.hasOwn(MESSAGES_TOOLS, family) ? MESSAGES_TOOLS[family] : { refused: 'is not sold here. Leave it out of `tools`.' }, type)
  return {
    family,
    problem: message === undefined ? undefined : { field: 'tools', message },
    freesCode: (FREES_CODE.exec(type)?.[1] ?? '') >= FREE_CODE_SINCE,
  }
}

function readTools(body: Buffer, lists: readonly Member[], steps: AskedStep[]): AskedTool[] | FieldProblem {
  const tools: AskedTool[] = []
  let freesCode = false
  const kinds = new Map<string, ToolKind>()
  const read = (tool: readonly Member[]): FieldProblem | undefined => {
    // Of several readings of one tool each family counts once.
    let families: Set<string> | undefined
    for (const type of wordsOf(body, tool, 'type')) {
      let kind = kinds.get(type)
      if (kind === undefined) kinds.set(type, (kind = kindOf(type)))
      if (kind.problem !== undefined) return kind.problem
      freesCode ||= kind.freesCode
      if (PRICED.has(kind.family)) (families ??= new Set()).add(kind.family)
    }
    if (families === undefined) return undefined
    const most = wholeOf(body, tool, 'max_uses') ?? MOST_TOOL_USES
    for (const family of families) {
      if (family === 'web_search') tools.push({ kind: 'webSearches', most, each: 1 })
      else if (family === 'code_execution') tools.push({ kind: 'codeSeconds', most: MOST_CODE_SECONDS, each: 1 })
      else steps.push({ model: wordOf(body, tool, 'model'), times: most, output: wholeOf(body, tool, 'max_tokens') ?? MOST_ADVICE, imageTokens: undefined })
    }
    return tooManyPriced('tools', tools.length + steps.length)
  }
  const problem = eachTool(body, lists, ['type', 'max_uses', 'model', 'max_tokens'], read)
  return problem ?? (freesCode ? tools.filter(({ kind }) => kind !== 'codeSeconds') : tools)
}

/** Each fallback may be tried, and is billed; the word `default` leaves the choice to the vendor. */
function readFallbacks(body: Buffer, lists: readonly Member[], steps: AskedStep[], factors: Factor[]): FieldProblem | undefined {
  let problem: FieldProblem | undefined
  for (const list of lists) {
    if (wordAt(body, list) !== undefined) steps.push({ model: undefined, times: 1, output: undefined, imageTokens: undefined })
    eachObject(body, list, ['model', 'max_tokens', 'speed'], (fallback) => {
      if (wordOf(body, fallback, 'speed') === 'fast') factors.push('fast')
      steps.push({ model: wordOf(body, fallback, 'model'), times: 1, output: wholeOf(body, fallback, 'max_tokens'), imageTokens: undefined })
      problem = tooManyPriced('fallbacks', steps.length)
      return problem === undefined
    })
  }
  return problem
}
