import { visitObjects, readMemberWord } from '../../json/elements.ts'
import type { Factor } from '../../deps.ts'
import { parseRange } from '../../json/scan.ts'
import type { JsonMember } from '../../json/scan.ts'
import { ANSWER_CALLS, OPENAI_USAGE, TIERS, TOOL_USAGE } from '../../terms/openai.ts'
import { describeTermsRefusal } from '../../terms/terms.ts'
import { findUnknownNumber } from '../../terms/unknown-usage.ts'
import { NO_USAGE, readTokenCount, isRaw, readObjectPart, takeAtMost } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { UsageContext } from '../dialect.ts'
import { DEFAULT_IMAGE_MODEL } from '../image-tokens.ts'

export const CHAT_EXTRA_KEYS = ['service_tier']
export const RESPONSES_EXTRA_KEYS = ['service_tier', 'tool_usage', 'output']

/** Reads the members of an answer beside its usage: tier, tokens and searches of hosted tools, and calls in its output. */
export function readAnswerExtras(answer: Buffer, members: readonly JsonMember[]): Raw | undefined {
  const beside: Record<string, unknown> = {}
  for (const member of members) {
    if (member.key === 'output') readCalls(answer, member, beside)
    else if (member.key === 'service_tier' || member.key === 'tool_usage') beside[member.key] = parseRange(answer, member)
  }
  return beside
}

/** Items that are tool calls, counted by type; containers by id. */
function readCalls(answer: Buffer, output: JsonMember, into: Record<string, unknown>): void {
  const containers = new Set<string>()
  let searches = 0
  let pictures = 0
  let unknown: string | undefined
  visitObjects(answer, output, ['type', 'action', 'container_id'], (item) => {
    const type = readMemberWord(answer, item, 'type') ?? ''
    if (type === 'web_search_call') searches += isSearch(answer, item) ? 1 : 0
    else if (type === 'image_generation_call') pictures++
    else if (type === 'code_interpreter_call') containers.add(readMemberWord(answer, item, 'container_id') ?? '')
    else if (type.endsWith('_call') && (!Object.hasOwn(ANSWER_CALLS, type) || describeTermsRefusal(ANSWER_CALLS[type], type) !== undefined))
      unknown = `output.${type}`
  })
  Object.assign(into, { searches, pictures, containers: containers.size, unknown })
}

/** Opening a page and searching within it are free of charge. */
function isSearch(answer: Buffer, item: readonly JsonMember[]): boolean {
  const action = item.findLast((member) => member.key === 'action')
  let type: string | undefined
  if (action !== undefined) visitObjects(answer, action, ['type'], (found) => (type = readMemberWord(answer, found, 'type')))
  return type !== 'open_page' && type !== 'find_in_page' && type !== 'find'
}

const SESSION_SECONDS = 1_200

type Extra = Pick<Usage, 'factors' | 'unknown' | 'webSearches' | 'containers' | 'extra'>

/** Reads usage outside OpenAI's usage object. */
export function readOpenaiExtras(raw: Raw, around: UsageContext | undefined): Extra {
  const beside = around?.beside ?? {}
  const { factors, unknown } = readTier(beside['service_tier'])
  const isWithoutTools = beside['tool_usage'] === undefined && beside['searches'] === undefined
  if (isWithoutTools) return { factors, unknown: unknown ?? findUnknownNumber(raw, OPENAI_USAGE), webSearches: 0, containers: 0, extra: [] }
  const tools = readObjectPart(beside, 'tool_usage')
  const told = readTokenCount(readObjectPart(tools, 'web_search'), 'num_requests')
  const gigabytes = Math.max(1, ...(around?.asks.tools ?? []).filter(({ kind }) => kind === 'containers').map(({ each }) => each))
  const containers = Number(beside['containers'] ?? 0) * gigabytes * Math.max(1, Math.ceil((around?.seconds ?? 0) / SESSION_SECONDS))
  const image = parseImageStep(readObjectPart(tools, 'image_gen'), around)
  const drawn = Number(beside['pictures'] ?? 0) > 0 && image === undefined ? 'output.image_generation_call' : undefined
  const field =
    unknown ??
    (beside['unknown'] as string | undefined) ??
    drawn ??
    findUnknownNumber(raw, OPENAI_USAGE) ??
    prefixPath('tool_usage', findUnknownNumber(tools, TOOL_USAGE))
  return {
    factors,
    unknown: field,
    webSearches: Math.max(told ?? 0, told === undefined ? Number(beside['searches'] ?? 0) : 0),
    containers,
    extra:
      image === undefined ? [] : [{ model: around?.asks.steps.find((step) => step.imageTokens !== undefined)?.model ?? DEFAULT_IMAGE_MODEL, usage: image }],
  }
}

const prefixPath = (prefix: string, path: string | undefined): string | undefined => path && `${prefix}.${path}`

function readTier(value: unknown): { factors: readonly Factor[]; unknown: string | undefined } {
  if (value === undefined || value === null || value === 'default' || value === 'auto') return STANDARD_TIER
  const tier = typeof value === 'string' ? value : 'other'
  if (!Object.hasOwn(TIERS, tier) || describeTermsRefusal(TIERS[tier], tier) !== undefined) return { factors: [], unknown: `service_tier=${tier}` }
  return { factors: [tier === 'flex' ? 'flex' : 'priority'], unknown: undefined }
}
const STANDARD_TIER = { factors: [], unknown: undefined }

/** Tokens of the image model behind the tool; its output is billed as image tokens. */
function parseImageStep(raw: Raw, around: UsageContext | undefined): Usage | undefined {
  const input = readTokenCount(raw, 'input_tokens') ?? 0
  const output = readTokenCount(raw, 'output_tokens') ?? 0
  if (around === undefined || !isRaw(raw) || !(input + output > 0)) return undefined
  const kept = readObjectPart(raw, 'cached_tokens_details')
  const imageAll = takeAtMost(input, readTokenCount(readObjectPart(raw, 'input_tokens_details'), 'image_tokens') ?? 0)
  const cachedImage = takeAtMost(imageAll, readTokenCount(kept, 'cached_image_tokens') ?? 0)
  const cachedInput = takeAtMost(input - imageAll, readTokenCount(kept, 'cached_text_tokens') ?? 0)
  return { ...NO_USAGE, input: input - imageAll - cachedInput, imageInput: imageAll - cachedImage, cachedImage, cachedInput, imageOutput: output }
}
