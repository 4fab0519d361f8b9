import { eachObject, mayHold, valuesOf, wholeAt, wholeOf, wordAt, wordOf, wordsOf } from '../../json/elements.ts'
import type { Factor } from '../../deps.ts'
import { scanObject } from '../../json/scan.ts'
import type { Member } from '../../json/scan.ts'
import { CHAT_FIELDS, CHAT_TOOLS, RESPONSES_FIELDS, RESPONSES_TOOLS, TIERS, TOOLED_ITEMS, UNKNOWN_TOOL } from '../../terms/openai.ts'
import { refusalOf, refusedNames } from '../../terms/terms.ts'
import type { TermsTable } from '../../terms/terms.ts'
import { MOST_TOOL_USES, NO_ASKS, eachTool, refusedField, tooManyPriced } from '../asks.ts'
import type { AskRules, AskedStep, AskedTool, Asks } from '../asks.ts'
import { DEFAULT_IMAGE_MODEL, mostImageTokens } from '../image-tokens.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'

const PRICED = ['service_tier', 'prompt_cache_options', 'tools']
const CHAT_REFUSED = refusedNames(CHAT_FIELDS)
// `background` has its own sentence where the relay reads it: false is no matter.
const RESPONSES_REFUSED = refusedNames(RESPONSES_FIELDS).filter((name) => name !== 'background')

export const chatAsks: AskRules = {
  wanted: [...PRICED, 'prediction', ...CHAT_REFUSED],
  // A message's parts are in a list or an object; an escape may spell any of the names.
  telling: /"(?:type|tools|web_search_options|audio|input_audio|image_url|file_id|file)"|"content"\s*:\s*[[{]|\\u00/,
  read(body, members) {
    const refused = refusedField(body, members, CHAT_FIELDS, CHAT_REFUSED)
    if (refused !== undefined) return refused
    const served = readServed(body, members)
    if (isProblem(served)) return served
    const tools = readTools(body, valuesOf(body, members, 'tools'), CHAT_TOOLS, MOST_TOOL_USES)
    if (isProblem(tools)) return tools
    const predicted = valuesOf(body, members, 'prediction').reduce((bytes, range) => bytes + range.end - range.start, 0)
    return served === NO_ASKS && predicted === 0 ? NO_ASKS : { ...served, predicted }
  },
}

export const responsesAsks: AskRules = {
  wanted: [...PRICED, 'max_tool_calls', 'input', ...RESPONSES_REFUSED],
  read(body, members) {
    const refused = refusedField(body, members, RESPONSES_FIELDS, RESPONSES_REFUSED)
    if (refused !== undefined) return refused
    const served = readServed(body, members)
    if (isProblem(served)) return served
    const lists = [...valuesOf(body, members, 'tools'), ...laterTools(body, members)]
    if (lists.length === 0) return served
    const most = wholeOf(body, members, 'max_tool_calls') ?? MOST_TOOL_USES
    const tools = readTools(body, lists, RESPONSES_TOOLS, most)
    if (isProblem(tools)) return tools
    return tools.tools.length === 0 && tools.steps.length === 0 ? served : { ...served, ...tools }
  },
}

/** Items of the conversation may bring tools as well. */
function laterTools(body: Buffer, members: readonly Member[]): Member[] {
  if (!mayHold(body, TOOLED_ITEMS)) return []
  const lists: Member[] = []
  for (const input of valuesOf(body, members, 'input')) eachObject(body, input, ['tools'], (item) => void lists.push(...item))
  return lists
}

/** Tier and life of the cache. */
function readServed(body: Buffer, members: readonly Member[]): Asks | FieldProblem {
  const factors: Factor[] = []
  for (const range of valuesOf(body, members, 'service_tier')) {
    const tier = wordAt(body, range)
    const terms = tier === undefined ? undefined : TIERS[tier]
    const message = terms === undefined ? '`service_tier` must be `auto`, `default`, `flex` or `priority`.' : refusalOf(terms, `service_tier: ${tier}`)
    if (message !== undefined) return { field: 'service_tier', message }
    if (tier === 'flex') factors.push('flex')
    else if (tier === 'priority' || tier === 'fast') factors.push('priority')
  }
  let longCache = false
  for (const range of valuesOf(body, members, 'prompt_cache_options')) {
    const found: Member[] = []
    scanObject(body, range.start, range.end, ['ttl'], found)
    for (const ttl of valuesOf(body, found, 'ttl')) if (wordAt(body, ttl) !== '30m') longCache = true
  }
  return factors.length === 0 && !longCache ? NO_ASKS : { ...NO_ASKS, factors, longCache }
}

interface Tools {
  readonly tools: readonly AskedTool[]
  readonly steps: readonly AskedStep[]
}

const TOOL = ['type', 'container', 'environment', 'model', 'quality', 'size', 'output_format', 'frame_count', 'complexity', 'partial_images']
const MEMORY: Readonly<Record<string, number>> = { '1g': 1, '4g': 4, '16g': 16, '64g': 64 }
/** Twenty minutes each; no answer takes longer than an hour. */
const MOST_SESSIONS = 3

function readTools(body: Buffer, lists: readonly Member[], table: TermsTable, most: number): Tools | FieldProblem {
  const tools: AskedTool[] = []
  const steps: AskedStep[] = []
  let problem: FieldProblem | undefined
  const refuse = (message: string): void => {
    problem ??= { field: 'tools', message }
  }
  const read = (tool: readonly Member[]): FieldProblem | undefined => {
    for (const type of wordsOf(body, tool, 'type')) {
      const terms = Object.hasOwn(table, type) ? table[type] : { refused: UNKNOWN_TOOL }
      const message = refusalOf(terms, type)
      if (message !== undefined) refuse(message)
      else if (type === 'code_interpreter') {
        const gigabytes = memoryOf(body, tool)
        if (gigabytes === undefined) refuse('`code_interpreter` needs a `container` of type `auto`: containers are not kept here.')
        else tools.push({ kind: 'containers', most: MOST_SESSIONS, each: gigabytes })
      } else if (type === 'shell' && !isLocal(body, tool))
        refuse('`shell` is sold with `environment: {"type": "local"}` only. For code that the vendor runs, use `code_interpreter`.')
      else if (type === 'image_generation') {
        if (wordOf(body, tool, 'output_format') === 'svg')
          refuse('`output_format` svg is billed as a second model and is not served here; ask for png, webp, jpeg or gif.')
        else steps.push({ model: wordOf(body, tool, 'model') ?? DEFAULT_IMAGE_MODEL, times: most, output: undefined, imageTokens: imageTokensOf(body, tool) })
      } else if (type.startsWith('web_search')) tools.push({ kind: 'webSearches', most, each: 1 })
    }
    if (steps.length > 1) refuse('`image_generation` may stand in `tools` once: the answer does not tell which model made a picture.')
    return problem ?? tooManyPriced('tools', tools.length)
  }
  return eachTool(body, lists, TOOL, read) ?? { tools, steps }
}

/** Gigabytes of a container that lives for this call; undefined for one that is named. */
function memoryOf(body: Buffer, tool: readonly Member[]): number | undefined {
  let gigabytes: number | undefined
  for (const range of valuesOf(body, tool, 'container')) {
    const found: Member[] = []
    if (scanObject(body, range.start, range.end, ['type', 'memory_limit'], found) < 0 || wordOf(body, found, 'type') !== 'auto') return undefined
    const memory = valuesOf(body, found, 'memory_limit').map((limit) => MEMORY[wordAt(body, limit) ?? ''] ?? 64)
    gigabytes = Math.max(gigabytes ?? 1, ...memory)
  }
  return gigabytes
}

function isLocal(body: Buffer, tool: readonly Member[]): boolean {
  const given = valuesOf(body, tool, 'environment')
  return (
    given.length > 0 &&
    given.every((range) => {
      const found: Member[] = []
      return scanObject(body, range.start, range.end, ['type'], found) > 0 && found.length === 1 && wordAt(body, found[0]) === 'local'
    })
  )
}

const imageTokensOf = (body: Buffer, tool: readonly Member[]): number =>
  mostImageTokens({
    quality: wordOf(body, tool, 'quality'),
    size: wordOf(body, tool, 'size'),
    format: wordOf(body, tool, 'output_format'),
    frames: wholeOf(body, tool, 'frame_count'),
    complexity: wordOf(body, tool, 'complexity'),
    previews: wholeAt(
      body,
      tool.findLast((member) => member.key === 'partial_images'),
    ),
  })
