import type { AttackVendorBook } from './book.ts'
import { collectContents } from './prompt-contents.ts'
import type { PromptContents } from './prompt-contents.ts'
import { HOSTED_TOOL_FEES, PLAIN_RATE, combineRates } from './tariff.ts'
import type { RateMultiplier, Tariff, UsedUnits } from './tariff.ts'

/** The maximum that a request permits the vendor to bill. */
export interface WorstCase {
  readonly tariff: Tariff
  readonly used: UsedUnits
  readonly rate: RateMultiplier
  readonly fees: bigint
  /** Hosted tools, by number of uses. */
  readonly tools: Readonly<Record<string, number>>
  /** Steps on other models, not included in the figures above. */
  readonly steps: readonly { readonly type: string; readonly tariff: Tariff; readonly used: UsedUnits }[]
  /** True if most of the output is hidden and generated before the first visible byte. */
  readonly hidden: boolean
  readonly tier: string
  readonly speed: string
  readonly geo: string
}

/** A request that the documented vendor refuses and does not bill. */
export interface VendorRefusal {
  readonly status: number
  readonly message: string
}

/** Uses of a hosted tool if the request sets no limit: the loop limit in Claude's documentation. */
const DEFAULT_TOOL_TURNS = 10
const SEARCH_WINDOW = 128_000
/** Minimum number of tokens at which compaction begins. */
const MIN_COMPACTED_TOKENS = 50_000
/** Maximum tokens of an image. gpt-4o-mini: 2,833 and 5,667 for each of eight tiles; newer ones by patches; Claude at high resolution. */
const IMAGE = { 'openai': 10_000, 'gpt-4o': 1_445, 'gpt-4.1': 1_445, 'gpt-4o-mini': 48_169, 'anthropic': 4_784, 'google': 2_240 } as Readonly<
  Record<string, number>
>
/** Maximum tokens of a page's text, and of its image. */
const PAGE = { openai: 2_000, anthropic: 4_600, google: 258 } as Readonly<Record<string, number>>

/** Reads a cap, which must be a positive integer or null; any other value is refused. */
function capOf(body: any, names: readonly string[], lenient = false): number | VendorRefusal | undefined {
  let most: number | undefined
  for (const name of names) {
    const given = body[name]
    if (given === undefined || given === null || (lenient && Number(given) === 0)) continue
    const value = lenient ? Number(given) : given
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
      return { status: 400, message: `Invalid '${name}': an integer above 0 is expected.` }
    most = Math.max(most ?? 0, value)
  }
  return most
}

const isVendorRefusal = (value: unknown): value is VendorRefusal => typeof value === 'object' && value !== null && 'status' in value

/** Input tokens: the known contents, and the rest of the window if the request has contents that only the vendor sees. */
function inputOf(tariff: Tariff, seen: PromptContents, extra: number, out: number): number {
  const room = Math.max(1, tariff.window - Math.min(out, tariff.window >> 1))
  const media = seen.images * (IMAGE[tariff.id] ?? IMAGE[tariff.vendor]!) + seen.pages * PAGE[tariff.vendor]!
  return seen.unseen ? room : Math.min(room, Math.ceil(seen.text + media + extra))
}

const OPENAI_HOSTED: Readonly<Record<string, string>> = {
  web_search: 'search',
  web_search_2025_08_26: 'search',
  web_search_preview: 'preview',
  web_search_preview_2025_03_11: 'preview',
  file_search: 'files',
  code_interpreter: 'code',
  image_generation: 'images',
  mcp: 'mcp',
  computer_use_preview: 'mcp',
}

export function computeOpenaiWorstCase(tariff: Tariff, body: any, isChat: boolean): WorstCase | VendorRefusal {
  const cap = capOf(body, isChat ? ['max_tokens', 'max_completion_tokens'] : ['max_output_tokens'])
  if (isVendorRefusal(cap)) return cap
  const copies = isChat ? (body.n ?? 1) : 1
  if (!Number.isInteger(copies) || copies < 1 || copies > 128) return { status: 400, message: 'Invalid n.' }
  const seen = collectContents({ ...body, prediction: undefined })
  if (body.previous_response_id || body.conversation || body.prompt?.id) seen.unseen = true
  const one = Math.min(cap ?? tariff.mostOutput, tariff.mostOutput)
  const hidden = !/^gpt-4/.test(tariff.id)
  const made = hidden ? one : Math.min(one, VISIBLE_ANSWER_TOKENS)
  const predicted = body.prediction ? collectContents(body.prediction).text : 0
  const base = inputOf(tariff, seen, (body.messages?.length ?? 1) * 4 + 3, one)
  const tools: Record<string, number> = {}
  let fees = 0n
  let turns = 0
  for (const tool of Array.isArray(body.tools) ? body.tools : []) {
    const kind = OPENAI_HOSTED[tool?.type]
    if (kind === undefined) continue
    turns = body.max_tool_calls ?? DEFAULT_TOOL_TURNS
    tools[kind] = kind === 'code' ? 1 : turns
    if (kind === 'code') fees += HOSTED_TOOL_FEES.openaiContainer[tool.container?.memory_limit ?? '1g'] ?? 0n
  }
  if (body.web_search_options) {
    turns = 1
    tools['search'] = 1
  }
  fees += BigInt(tools['search'] ?? 0) * HOSTED_TOOL_FEES.openaiSearch
  fees += BigInt(tools['preview'] ?? 0) * (hidden ? HOSTED_TOOL_FEES.openaiSearch : HOSTED_TOOL_FEES.openaiPreviewSearch)
  fees += BigInt(tools['files'] ?? 0) * HOSTED_TOOL_FEES.openaiFileSearch
  // "Web search is limited to a context window of 128,000."
  const isSearch = turns > 0 && Object.keys(tools).every((kind) => kind === 'search' || kind === 'preview')
  const room = Math.max(0, tariff.window - one)
  const input = base + turns * (isSearch ? Math.min(room, base + SEARCH_WINDOW) : room)
  const write = tariff.prices['cacheWrite5m'] === undefined ? 'input' : 'cacheWrite5m'
  const tier = body.service_tier === 'priority' || body.service_tier === 'flex' ? body.service_tier : 'default'
  const rate = tier === 'priority' ? { times: 2n, per: 1n } : tier === 'flex' ? { times: 1n, per: 2n } : PLAIN_RATE
  const visible = hidden ? 0 : made * copies
  const used = {
    [write]: input,
    output: (hidden ? VISIBLE_WORD_TOKENS : visible) + predicted,
    reasoning: hidden ? Math.max(0, made * copies - VISIBLE_WORD_TOKENS) : 0,
  }
  const audio = Math.ceil(seen.audioSeconds * 10)
  return { tariff, used: { ...used, ...(audio ? { audioInput: audio } : {}) }, rate, fees, tools, steps: [], hidden, tier, speed: '', geo: '' }
}

/** Tokens of the few visible words of a mostly hidden response, and of a fully visible one. */
export const VISIBLE_WORD_TOKENS = 6
export const VISIBLE_ANSWER_TOKENS = 640

export function computeClaudeWorstCase(tariff: Tariff, body: any, book: Pick<AttackVendorBook, 'tariffs'>): WorstCase | VendorRefusal {
  const cap = capOf(body, ['max_tokens'])
  if (isVendorRefusal(cap)) return cap
  if (cap === undefined) return { status: 400, message: 'max_tokens: Field required' }
  const out = Math.min(cap, tariff.mostOutput)
  const seen = collectContents(body)
  const server = (Array.isArray(body.tools) ? body.tools : []).filter((tool: any) =>
    /^(web_search|web_fetch|code_execution|tool_search)/.test(tool?.type ?? ''),
  )
  const turns =
    server.length || body.mcp_servers
      ? Math.min(DEFAULT_TOOL_TURNS, Math.max(0, ...server.map((tool: any) => tool.max_uses ?? DEFAULT_TOOL_TURNS), body.mcp_servers ? DEFAULT_TOOL_TURNS : 0))
      : 0
  const tools: Record<string, number> = {}
  for (const tool of server) tools[String(tool.type).replace(/_\d+$/, '')] = Math.min(DEFAULT_TOOL_TURNS, tool.max_uses ?? DEFAULT_TOOL_TURNS)
  const clients = (body.tools?.length ?? 0) - server.length
  const base = inputOf(tariff, seen, (body.messages?.length ?? 1) * 4 + (clients > 0 ? 346 : 0), out)
  const input = base + turns * Math.max(0, tariff.window - out)
  const isThinking = body.thinking ? body.thinking.type !== 'disabled' : /fable|(?:opus|sonnet|haiku)-5/.test(tariff.id)
  const made = isThinking ? out : Math.min(out, VISIBLE_ANSWER_TOKENS)
  const write = seen.cache === '1h' ? 'cacheWrite1h' : seen.cache === '5m' ? 'cacheWrite5m' : 'input'
  const isFast = body.speed === 'fast'
  const isUs = body.inference_geo === 'us'
  const fast: RateMultiplier = isFast ? { times: /4-[67]$/.test(tariff.id) ? 6n : 2n, per: 1n } : PLAIN_RATE
  const steps = stepsOf(tariff, body, book, base, out)
  return {
    tariff,
    used: {
      [write]: input,
      output: isThinking ? Math.min(VISIBLE_WORD_TOKENS, made) : made,
      reasoning: isThinking ? Math.max(0, made - VISIBLE_WORD_TOKENS) : 0,
    },
    rate: combineRates(fast, isUs ? { times: 11n, per: 10n } : PLAIN_RATE),
    fees:
      BigInt(tools['web_search'] ?? 0) * HOSTED_TOOL_FEES.claudeSearch +
      (tools['code_execution'] && !tools['web_search'] && !tools['web_fetch'] ? HOSTED_TOOL_FEES.claudeContainer : 0n),
    tools,
    steps,
    hidden: isThinking,
    tier: 'standard',
    speed: isFast ? 'fast' : 'standard',
    geo: isUs ? 'us' : 'not_available',
  }
}

/** Compaction and advisors are billed outside the totals, each step at its own model's price. */
function stepsOf(tariff: Tariff, body: any, { tariffs }: Pick<AttackVendorBook, 'tariffs'>, input: number, out: number): WorstCase['steps'] {
  const steps: { type: string; tariff: Tariff; used: UsedUnits }[] = []
  if (input >= MIN_COMPACTED_TOKENS && body.context_management?.edits?.some((edit: any) => String(edit?.type).startsWith('compact')))
    steps.push({ type: 'compaction', tariff, used: { input, output: out } })
  for (const tool of Array.isArray(body.tools) ? body.tools : []) {
    const advisor = String(tool?.type).startsWith('advisor') ? tariffs.get(tool.model) : undefined
    if (advisor === undefined) continue
    for (let use = 0; use < Math.min(DEFAULT_TOOL_TURNS, tool.max_uses ?? DEFAULT_TOOL_TURNS); use++)
      steps.push({ type: 'advisor_message', tariff: advisor, used: { input, output: Math.min(advisor.mostOutput, tool.max_tokens ?? 16_384) } })
  }
  return steps
}

const readEitherCase = (body: any, camel: string, snake: string): any => body?.[camel] ?? body?.[snake]

export function computeGeminiWorstCase(tariff: Tariff, body: any): WorstCase | VendorRefusal {
  const config = { ...body.generation_config, ...body.generationConfig }
  const cap = capOf({ a: config.maxOutputTokens, b: config.max_output_tokens }, ['a', 'b'], true)
  if (isVendorRefusal(cap)) return cap
  const copies = Math.max(Number(config.candidateCount ?? 1), Number(config.candidate_count ?? 1))
  if (!Number.isInteger(copies) || copies < 1 || copies > 8) return { status: 400, message: 'candidateCount must be between 1 and 8.' }
  const seen = collectContents(body)
  if (readEitherCase(body, 'cachedContent', 'cached_content')) seen.unseen = true
  const out = Math.min(cap ?? tariff.mostOutput, tariff.mostOutput)
  const tools: Record<string, number> = {}
  for (const tool of Array.isArray(body.tools) ? body.tools : body.tools ? [body.tools] : [])
    for (const name of Object.keys(tool ?? {})) {
      const kind = name.replaceAll('_', '').toLowerCase()
      if (/^(googlesearch|googlesearchretrieval|urlcontext|codeexecution|googlemaps|filesearch|enterprisewebsearch)$/.test(kind))
        tools[kind] = DEFAULT_TOOL_TURNS
    }
  const isOld = /gemini-2/.test(tariff.id)
  let fees = 0n
  if (tools['googlesearch'] || tools['googlesearchretrieval'])
    fees += isOld ? HOSTED_TOOL_FEES.geminiPrompt : BigInt(DEFAULT_TOOL_TURNS) * HOSTED_TOOL_FEES.geminiQuery
  if (tools['googlemaps']) fees += isOld ? HOSTED_TOOL_FEES.geminiMaps : BigInt(DEFAULT_TOOL_TURNS) * HOSTED_TOOL_FEES.geminiQuery
  const base = inputOf(tariff, seen, 2, 0)
  const reads = tools['urlcontext'] || tools['codeexecution'] || tools['filesearch'] ? tariff.window : 0
  const made = out * copies
  const audio = Math.ceil(seen.audioSeconds * 32)
  const level = String(body.serviceTier ?? body.service_tier ?? 'standard').toLowerCase()
  const rate: RateMultiplier = level === 'priority' ? { times: 9n, per: 5n } : level === 'flex' ? { times: 1n, per: 2n } : PLAIN_RATE
  const used = {
    input: base + reads,
    output: Math.min(VISIBLE_WORD_TOKENS, made),
    reasoning: Math.max(0, made - VISIBLE_WORD_TOKENS),
    ...(audio ? { audioInput: audio } : {}),
  }
  return { tariff, used: used as UsedUnits, rate, fees, tools, steps: [], hidden: true, tier: level, speed: '', geo: '' }
}

export { isVendorRefusal }
