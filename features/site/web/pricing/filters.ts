import type { ModelRow } from '#features/gateway/contract.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { SHOWN_VENDORS } from '#features/gateway/web/door.ts'

export const SORTS = ['default', 'price', 'context', 'newest'] as const
export type Sort = (typeof SORTS)[number]
export const CAPABILITIES = ['vision', 'tools', 'thinking', 'cache', 'structured', 'pdf', 'audio', 'video'] as const

export interface Filter {
  readonly text: string
  readonly vendor: string
  readonly capabilities: readonly string[]
  readonly sort: Sort
}

/**
 * Synonyms for vendors (each in its own folder) and for capabilities: Chinese names, their pinyin and its initials. Product names that
 * people type in Chinese are written in pinyin only, so that a keyboard without Chinese finds them too.
 */
const SEARCH_SYNONYMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SHOWN_VENDORS.map(({ id, words }) => [id, words.join(' ')])),
  vision: 'vision image tupian shijue tp',
  tools: 'tools function gongju gj',
  thinking: 'thinking reasoning sikao tuili sk',
  cache: 'cache huancun hc',
  structured: 'structured json jiegouhua',
  pdf: 'pdf wendang',
  audio: 'audio yinpin yuyin yp',
  video: 'video shipin sp',
  embedding: 'embedding xiangliang xl qianru',
  chat: 'chat duihua dh',
  realtime: 'realtime live voice shishi yuyin ss yy',
  image: 'image picture tupian huatu tp',
  speech: 'speech tts voice yuyin hecheng yy',
  transcription: 'transcription stt whisper zhuanxie tingxie zx',
  moderation: 'moderation shenhe sh',
  rerank: 'rerank paixu px',
}

/** Ignores case, spaces and separators: "gpt5.6sol" finds gpt-5.6-sol. */
function stripSeparators(text: string): string {
  return text.toLowerCase().replace(/[\s_.·-]+/g, '')
}

/** Requires a match for each word: "claude 思考" with the shown words passed in. */
export function matchesModel(row: ModelRow, text: string, shown: (key: string) => string = () => ''): boolean {
  const keys = [row.vendor, row.kind, ...row.capabilities]
  const names = [row.modelValue, row.modelName, ...row.aliases, ...keys.map((key) => `${SEARCH_SYNONYMS[key] ?? key} ${shown(key)}`)].map(stripSeparators)
  const has = (word: string) => names.some((name) => name.includes(word))
  return has(stripSeparators(text)) || text.split(/\s+/).every((word) => has(stripSeparators(word)))
}

const ORDER: Readonly<Record<Sort, (a: ModelRow, b: ModelRow) => number>> = {
  default: () => 0,
  price: (a, b) => compareAmounts(a.prices.usd.output, b.prices.usd.output) || compareAmounts(a.prices.usd.input, b.prices.usd.input),
  context: (a, b) => (b.contextTokens ?? 0) - (a.contextTokens ?? 0),
  newest: (a, b) => (b.releasedOn ?? '').localeCompare(a.releasedOn ?? ''),
}

function compareAmounts(a: string, b: string): number {
  const [left, right] = [parseUsd(a), parseUsd(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Resolves the vendor of a link, by its name or its product's; '' if unknown. */
export function findVendorId(name: string): string {
  const word = name.toLowerCase()
  return SHOWN_VENDORS.find(({ id, label, words }) => [id, label.toLowerCase(), ...words].includes(word))?.id ?? ''
}

/** Rows of all vendors that match text and capabilities; the vendor pills show their counts. */
export function filterModels(
  rows: readonly ModelRow[],
  { text, capabilities }: Pick<Filter, 'text' | 'capabilities'>,
  shown?: (key: string) => string,
): ModelRow[] {
  return rows.filter((row) => capabilities.every((one) => row.capabilities.includes(one)) && (!text.trim() || matchesModel(row, text.trim(), shown)))
}

/** Filters rows by the selected vendor and sorts them. */
export function arrangeModels(rows: readonly ModelRow[], { vendor, sort }: Pick<Filter, 'vendor' | 'sort'>): ModelRow[] {
  return rows.filter((row) => !vendor || row.vendor === vendor).sort(ORDER[sort])
}

/** Parses a comma-separated list in the address; skips unknown values. */
export function parseListParam<T extends string>(text: string, known: readonly T[]): T[] {
  const asked = text.split(',')
  return known.filter((one) => asked.includes(one))
}
