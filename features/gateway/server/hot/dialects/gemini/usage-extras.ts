import { visitObjects } from '../../json/elements.ts'
import type { Factor } from '../../deps.ts'
import { parseRange, scanObject, skipValue } from '../../json/scan.ts'
import type { JsonMember } from '../../json/scan.ts'
import { GEMINI_TIERS, GEMINI_USAGE, MODALITIES, TRAFFIC_TYPES } from '../../terms/gemini.ts'
import { describeTermsRefusal } from '../../terms/terms.ts'
import { findUnknownNumber } from '../../terms/unknown-usage.ts'
import { isRaw } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { UsageContext } from '../dialect.ts'

const OPEN_OBJECT = 123

/** Grounding of all chunks. Chunks repeat what earlier ones reported, so the maximum over them is the total. */
export function readGrounding(events: Buffer, known: Raw | undefined): Raw | undefined {
  let queries = Number(known?.['queries'] ?? 0)
  let web = known?.['web'] === true
  let maps = known?.['maps'] === true
  for (let from = events.indexOf(OPEN_OBJECT); from >= 0;) {
    const end = skipValue(events, from, events.length)
    if (end < 0) break
    let here = 0
    const found: JsonMember[] = []
    scanObject(events, from, end, ['candidates'], found)
    for (const candidates of found)
      visitObjects(events, candidates, ['groundingMetadata'], (candidate) => {
        for (const range of candidate) {
          const grounding = parseRange(events, range)
          if (!isRaw(grounding)) continue
          here += countQueries(grounding['webSearchQueries']) + countQueries(grounding['imageSearchQueries'])
          maps ||= hasMaps(grounding)
          web ||= here > 0 || 'searchEntryPoint' in grounding || hasWeb(grounding)
        }
      })
    queries = Math.max(queries, here)
    from = events.indexOf(OPEN_OBJECT, end)
  }
  return { queries, web, maps }
}

/** Empty queries are free of charge. */
const countQueries = (list: unknown): number => (Array.isArray(list) ? list.filter((query) => query !== '').length : 0)
const chunksOf = (grounding: Raw): readonly Raw[] => (Array.isArray(grounding['groundingChunks']) ? grounding['groundingChunks'].filter(isRaw) : [])
const hasMaps = (grounding: Raw): boolean => 'googleMapsWidgetContextToken' in grounding || chunksOf(grounding).some((chunk) => 'maps' in chunk)
const hasWeb = (grounding: Raw): boolean => chunksOf(grounding).some((chunk) => 'web' in chunk)

const DETAILS = ['promptTokensDetails', 'candidatesTokensDetails', 'responseTokensDetails', 'cacheTokensDetails', 'toolUsePromptTokensDetails']

type Extra = Pick<Usage, 'factors' | 'unknown' | 'webSearches' | 'groundedPrompts' | 'mapPrompts'>

/** Usage beside tokens: the tier, and the queries to Google Search and Maps. */
export function readGeminiExtras(raw: Raw, around?: UsageContext): Extra {
  const beside = around?.beside
  const web = beside?.['web'] === true ? 1 : 0
  const factors: Factor[] = []
  let unknown: string | undefined
  for (const [key, table] of [
    ['serviceTier', GEMINI_TIERS],
    ['trafficType', TRAFFIC_TYPES],
  ] as const) {
    const value = raw[key]
    if (value === undefined || value === null) continue
    const name = String(value).toLowerCase()
    if (!Object.hasOwn(table, name) || describeTermsRefusal(table[name], name) !== undefined) unknown = `${key}=${String(value)}`
    else if (name.endsWith('flex')) factors.push('flex')
    else if (name.endsWith('priority')) factors.push('priority')
  }
  return {
    factors: [...new Set(factors)],
    unknown: unknown ?? findUnknownModality(raw) ?? findUnknownNumber(raw, GEMINI_USAGE),
    webSearches: web === 0 ? 0 : Math.max(1, Number(beside?.['queries'] ?? 0)),
    groundedPrompts: web,
    mapPrompts: beside?.['maps'] === true ? 1 : 0,
  }
}

function findUnknownModality(raw: Raw): string | undefined {
  for (const key of DETAILS) {
    const list = raw[key]
    if (!Array.isArray(list)) continue
    for (const item of list)
      if (isRaw(item) && item['modality'] !== undefined && !Object.hasOwn(MODALITIES, String(item['modality'])))
        return `${key}[].modality=${String(item['modality'])}`
  }
  return undefined
}
