import { countFieldElements, findRequestField } from '../media/fields.ts'
import { NO_MEDIA } from '../media/media.ts'
import type { MeasuredUsage, MediaRules } from '../media/media.ts'
import { findMember, parseRange } from '../json/scan.ts'
import { RERANK_USAGE } from '../terms/openai-media.ts'
import { findUnknownNumber } from '../terms/unknown-usage.ts'
import { NO_USAGE, readTokenCount, readObjectPart, isSaneUsage } from '../usage/usage.ts'
import type { Raw, Usage } from '../usage/usage.ts'
import type { DialectRules } from './dialect.ts'
import { readMediaFacts } from './openai/media.ts'
import type { MediaRequest } from './openai/media.ts'

/** One search ranks up to 100 pieces; a long document is cut into pieces of some 500 tokens. */
const PIECES_PER_SEARCH = 100
const PIECE_TOKENS = 500
const PIECE_BYTES = 1_500

/** Cohere's `meta`: search units for the models priced by them, tokens for later models. */
function parseRerankUsage(meta: Raw): Usage | undefined {
  const billed = readObjectPart(meta, 'billed_units')
  const searches = readTokenCount(billed, 'search_units')
  const input =
    readTokenCount(billed, 'input_tokens') ?? readTokenCount(billed, 'total_tokens') ?? readTokenCount(readObjectPart(meta, 'tokens'), 'input_tokens')
  if (searches === undefined && input === undefined) return undefined
  const usage: Usage = { ...NO_USAGE, searches: searches ?? 0, input: input ?? 0, unknown: findUnknownNumber(meta, RERANK_USAGE) }
  return isSaneUsage(usage) ? usage : undefined
}

type RerankSize = { readonly documents: number; readonly textTokens: number }
const countSearches = (asked: RerankSize): number => Math.max(1, Math.ceil(Math.max(asked.documents, asked.textTokens / PIECE_BYTES) / PIECES_PER_SEARCH))
/** One token per byte, and one started piece per document. */
const countMaxSearches = (asked: RerankSize): number => Math.max(1, Math.ceil((asked.documents + asked.textTokens / PIECE_TOKENS) / PIECES_PER_SEARCH))

const media: MediaRules = {
  most: (asked, model) =>
    model.prices.searches === undefined ? { ...NO_USAGE, input: asked.textTokens + asked.documents * 50 } : { ...NO_USAGE, searches: countMaxSearches(asked) },
  measure: (asked, model, usage): MeasuredUsage => {
    const bySearch = model.prices.searches !== undefined
    // Both may be reported; only the unit of the model's price is billed.
    if (usage !== undefined && (bySearch || usage.input > 0 || usage.searches === 0))
      return { usage: bySearch ? { ...usage, input: 0 } : { ...usage, searches: 0 }, provenance: 'upstream' }
    return {
      usage: bySearch ? { ...NO_USAGE, searches: countSearches(asked) } : { ...NO_USAGE, input: Math.ceil(asked.textTokens / 4) },
      provenance: 'estimated',
    }
  },
}

const request: MediaRequest = {
  wanted: ['model', 'query', 'documents', 'top_n'],
  takesForms: false,
  once: [],
  media: (fields) => {
    const query = findRequestField(fields, 'query')
    if (query === undefined) return { field: 'query', message: 'You must provide a `query` parameter.' }
    const documents = findRequestField(fields, 'documents')
    const count = countFieldElements(fields, 'documents')
    if (documents === undefined || fields.body[documents.start] !== 91 || count === 0)
      return { field: 'documents', message: '`documents` must be a list with at least one document.' }
    return { ...NO_MEDIA, documents: count, textTokens: fields.body.length + count * (query.end - query.start) }
  },
}

/**
 * Ranks documents by relevance to a query, in Cohere's format, which others adopted. The vendor's errors hold only a `message`; they
 * are rewritten in the shape of our other endpoints. https://docs.cohere.com/reference/rerank
 */
export const rerankDialect: DialectRules = {
  id: 'rerank',
  surface: 'openai',
  endpoint: '/v1/rerank',
  upstreamPath: () => '/v2/rerank',
  readFacts: (body, _model, _method, contentType = '') => readMediaFacts(request, body, contentType),
  usageKey: 'meta',
  usageOf: parseRerankUsage,
  media,
  stream: undefined,
  foreignError: (body) => {
    const at = findMember(body, 0, body.length, 'message')
    const message = at === undefined ? undefined : parseRange(body, at)
    return typeof message === 'string' ? message : undefined
  },
}
