import {
  visitObjects,
  mayContainWords,
  filterMembers,
  parseWholeNumber,
  readMemberWholeNumber,
  decodeShortText,
  readMemberWord,
  readMemberTexts,
} from '../../json/elements.ts'
import type { Factor } from '../../deps.ts'
import { scanObject } from '../../json/scan.ts'
import type { JsonMember } from '../../json/scan.ts'
import { CHAT_FIELDS, CHAT_TOOLS, RESPONSES_FIELDS, RESPONSES_TOOLS, TIERS, TOOLED_ITEMS, UNKNOWN_TOOL } from '../../terms/openai.ts'
import { describeTermsRefusal, listRefusedNames } from '../../terms/terms.ts'
import type { TermsTable } from '../../terms/terms.ts'
import { MAX_TOOL_USES, NO_BILLABLE_OPTIONS, visitTools, findRefusedField, checkPricedCount } from '../billable-options.ts'
import type { BillableOptionRules, BillableStep, BillableTool, BillableOptions } from '../billable-options.ts'
import { DEFAULT_IMAGE_MODEL, computeMaxImageTokens } from '../image-tokens.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'

const PRICED = ['service_tier', 'prompt_cache_options', 'tools']
const CHAT_REFUSED = listRefusedNames(CHAT_FIELDS)
// `background` has a separate message where the relay reads it; false is always accepted.
const RESPONSES_REFUSED = listRefusedNames(RESPONSES_FIELDS).filter((name) => name !== 'background')

export const chatOptionRules: BillableOptionRules = {
  wanted: [...PRICED, 'prediction', ...CHAT_REFUSED],
  // A message's parts are in a list or an object; an escape may spell any of the names.
  telling: /"(?:type|tools|web_search_options|audio|input_audio|image_url|file_id|file)"|"content"\s*:\s*[[{]|\\u00/,
  read(body, members) {
    const refused = findRefusedField(body, members, CHAT_FIELDS, CHAT_REFUSED)
    if (refused !== undefined) return refused
    const served = readTierAndCache(body, members)
    if (isProblem(served)) return served
    const tools = readTools(body, filterMembers(body, members, 'tools'), CHAT_TOOLS, MAX_TOOL_USES)
    if (isProblem(tools)) return tools
    const predicted = filterMembers(body, members, 'prediction').reduce((bytes, range) => bytes + range.end - range.start, 0)
    return served === NO_BILLABLE_OPTIONS && predicted === 0 ? NO_BILLABLE_OPTIONS : { ...served, predicted }
  },
}

export const responsesOptionRules: BillableOptionRules = {
  wanted: [...PRICED, 'max_tool_calls', 'input', ...RESPONSES_REFUSED],
  read(body, members) {
    const refused = findRefusedField(body, members, RESPONSES_FIELDS, RESPONSES_REFUSED)
    if (refused !== undefined) return refused
    const served = readTierAndCache(body, members)
    if (isProblem(served)) return served
    const lists = [...filterMembers(body, members, 'tools'), ...findLateTools(body, members)]
    if (lists.length === 0) return served
    const most = readMemberWholeNumber(body, members, 'max_tool_calls') ?? MAX_TOOL_USES
    const tools = readTools(body, lists, RESPONSES_TOOLS, most)
    if (isProblem(tools)) return tools
    return tools.tools.length === 0 && tools.steps.length === 0 ? served : { ...served, ...tools }
  },
}

/** Conversation items may add tools as well. */
function findLateTools(body: Buffer, members: readonly JsonMember[]): JsonMember[] {
  if (!mayContainWords(body, TOOLED_ITEMS)) return []
  const lists: JsonMember[] = []
  for (const input of filterMembers(body, members, 'input')) visitObjects(body, input, ['tools'], (item) => void lists.push(...item))
  return lists
}

/** Tier and lifetime of the cache. */
function readTierAndCache(body: Buffer, members: readonly JsonMember[]): BillableOptions | FieldProblem {
  const factors: Factor[] = []
  for (const range of filterMembers(body, members, 'service_tier')) {
    const tier = decodeShortText(body, range)
    const terms = tier === undefined ? undefined : TIERS[tier]
    const message =
      terms === undefined ? '`service_tier` must be `auto`, `default`, `flex` or `priority`.' : describeTermsRefusal(terms, `service_tier: ${tier}`)
    if (message !== undefined) return { field: 'service_tier', message }
    if (tier === 'flex') factors.push('flex')
    else if (tier === 'priority' || tier === 'fast') factors.push('priority')
  }
  let longCache = false
  for (const range of filterMembers(body, members, 'prompt_cache_options')) {
    const found: JsonMember[] = []
    scanObject(body, range.start, range.end, ['ttl'], found)
    for (const ttl of filterMembers(body, found, 'ttl')) if (decodeShortText(body, ttl) !== '30m') longCache = true
  }
  return factors.length === 0 && !longCache ? NO_BILLABLE_OPTIONS : { ...NO_BILLABLE_OPTIONS, factors, longCache }
}

interface Tools {
  readonly tools: readonly BillableTool[]
  readonly steps: readonly BillableStep[]
}

const TOOL = ['type', 'container', 'environment', 'model', 'quality', 'size', 'output_format', 'frame_count', 'complexity', 'partial_images']
const MEMORY: Readonly<Record<string, number>> = { '1g': 1, '4g': 4, '16g': 16, '64g': 64 }
/** Twenty minutes each; no answer takes longer than an hour. */
const MAX_SESSIONS = 3

function readTools(body: Buffer, lists: readonly JsonMember[], table: TermsTable, most: number): Tools | FieldProblem {
  const tools: BillableTool[] = []
  const steps: BillableStep[] = []
  let problem: FieldProblem | undefined
  const refuse = (message: string): void => {
    problem ??= { field: 'tools', message }
  }
  const read = (tool: readonly JsonMember[]): FieldProblem | undefined => {
    for (const type of readMemberTexts(body, tool, 'type')) {
      const terms = Object.hasOwn(table, type) ? table[type] : { refused: UNKNOWN_TOOL }
      const message = describeTermsRefusal(terms, type)
      if (message !== undefined) refuse(message)
      else if (type === 'code_interpreter') {
        const gigabytes = readContainerGigabytes(body, tool)
        if (gigabytes === undefined) refuse('`code_interpreter` needs a `container` of type `auto`: containers are not kept here.')
        else tools.push({ kind: 'containers', most: MAX_SESSIONS, each: gigabytes })
      } else if (type === 'shell' && !isLocal(body, tool))
        refuse('`shell` is sold with `environment: {"type": "local"}` only. For code that the vendor runs, use `code_interpreter`.')
      else if (type === 'image_generation') {
        if (readMemberWord(body, tool, 'output_format') === 'svg')
          refuse('`output_format` svg is billed as a second model and is not served here; ask for png, webp, jpeg or gif.')
        else
          steps.push({
            model: readMemberWord(body, tool, 'model') ?? DEFAULT_IMAGE_MODEL,
            times: most,
            output: undefined,
            imageTokens: imageTokensOf(body, tool),
          })
      } else if (type.startsWith('web_search')) tools.push({ kind: 'webSearches', most, each: 1 })
    }
    if (steps.length > 1) refuse('`image_generation` may stand in `tools` once: the answer does not tell which model made a picture.')
    return problem ?? checkPricedCount('tools', tools.length)
  }
  return visitTools(body, lists, TOOL, read) ?? { tools, steps }
}

/** Gigabytes of a container that lives for this call; undefined for a container referenced by id. */
function readContainerGigabytes(body: Buffer, tool: readonly JsonMember[]): number | undefined {
  let gigabytes: number | undefined
  for (const range of filterMembers(body, tool, 'container')) {
    const found: JsonMember[] = []
    if (scanObject(body, range.start, range.end, ['type', 'memory_limit'], found) < 0 || readMemberWord(body, found, 'type') !== 'auto') return undefined
    const memory = filterMembers(body, found, 'memory_limit').map((limit) => MEMORY[decodeShortText(body, limit) ?? ''] ?? 64)
    gigabytes = Math.max(gigabytes ?? 1, ...memory)
  }
  return gigabytes
}

function isLocal(body: Buffer, tool: readonly JsonMember[]): boolean {
  const given = filterMembers(body, tool, 'environment')
  return (
    given.length > 0 &&
    given.every((range) => {
      const found: JsonMember[] = []
      return scanObject(body, range.start, range.end, ['type'], found) > 0 && found.length === 1 && decodeShortText(body, found[0]) === 'local'
    })
  )
}

const imageTokensOf = (body: Buffer, tool: readonly JsonMember[]): number =>
  computeMaxImageTokens({
    quality: readMemberWord(body, tool, 'quality'),
    size: readMemberWord(body, tool, 'size'),
    format: readMemberWord(body, tool, 'output_format'),
    frames: readMemberWholeNumber(body, tool, 'frame_count'),
    complexity: readMemberWord(body, tool, 'complexity'),
    previews: parseWholeNumber(
      body,
      tool.findLast((member) => member.key === 'partial_images'),
    ),
  })
