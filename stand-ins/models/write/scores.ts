import type { Prepared } from './prepared.ts'
import { idFrom } from '../read/ask.ts'
import { refuse } from './errors.ts'
import { isObject, toList, num, obj, str, type Json, type JsonObject } from '../read/json.ts'
import type { Knobs } from '../read/knobs.ts'
import { counted, mediaAsk, wholeReply } from '../read/media-ask.ts'
import { countTokens } from '../tokens.ts'
import { reported, usageFor } from '../usage.ts'

const CATEGORIES: Readonly<Record<string, RegExp>> = {
  'harassment': /idiot|stupid|loser|蠢货|白痴/i,
  'harassment/threatening': /i will find you|等着瞧/i,
  'hate': /hate (?:all|those) /i,
  'hate/threatening': /exterminate/i,
  'illicit': /steal|counterfeit|偷/i,
  'illicit/violent': /make a bomb|炸弹/i,
  'self-harm': /hurt myself|自残/i,
  'self-harm/intent': /i want to hurt myself/i,
  'self-harm/instructions': /how to hurt myself/i,
  'sexual': /\bnude\b|裸/i,
  'sexual/minors': /^$/,
  'violence': /kill|stab|shoot|杀/i,
  'violence/graphic': /blood everywhere|血腥/i,
}

/** Free. Flags a short list of words, and says so the same way every time. */
export function prepareModeration(body: JsonObject, knobsOf: (text: string) => Knobs): Prepared {
  const model = str(body['model']) ?? 'omni-moderation-latest'
  const input = body['input']
  const items: readonly Json[] = typeof input === 'string' ? [input] : toList(input)
  if (!items.length) refuse("Invalid type for 'input': expected a string, or an array.", { param: 'input', code: 'invalid_type' })
  // A list of parts is one input; a list of texts is one each.
  const parts = items.every(isObject)
  const texts = parts
    ? [items.map((part) => str(obj(part)['text']) ?? '').join('\n')]
    : items.map((item) => str(item) ?? refuse("Invalid type for 'input'.", { param: 'input', code: 'invalid_type' }))
  const types = parts && items.some((part) => obj(part)['type'] === 'image_url') ? ['text', 'image'] : ['text']
  const all = texts.join('\n')
  return {
    ask: mediaAsk('openai-moderations', model, all, false, knobsOf(all)),
    answers: false,
    counts: counted({}),
    write: (_ask, _worked, { id }) =>
      wholeReply(counted({}), {
        id: idFrom('modr-', id, 24),
        model: model === 'omni-moderation-latest' ? 'omni-moderation-2024-09-26' : model,
        results: texts.map((text) => judged(text, types)),
      }),
  }
}

function judged(text: string, types: readonly string[]): JsonObject {
  const names = Object.keys(CATEGORIES)
  const hits = new Set(names.filter((name) => text !== '' && CATEGORIES[name]!.test(text)))
  const each = (value: (name: string) => Json): JsonObject => Object.fromEntries(names.map((name) => [name, value(name)]))
  return {
    flagged: hits.size > 0,
    categories: each((name) => hits.has(name)),
    category_scores: each((name) => (hits.has(name) ? 0.97 : 0.0001)),
    category_applied_input_types: each(() => types),
  }
}

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[a-z0-9]+|[\u3400-\u9fff]/g) ?? [])

/** Cohere's rerank: the share of the query's words that a document has, and a little for being short. */
export function prepareRerank(body: JsonObject, knobsOf: (text: string) => Knobs): Prepared {
  const model = str(body['model']) ?? refuse('invalid request: model parameter is required')
  const query = str(body['query']) ?? refuse('invalid request: query parameter is required')
  const documents = toList(body['documents']).map((item) => (typeof item === 'string' ? item : (str(obj(item)['text']) ?? JSON.stringify(item))))
  if (!documents.length) refuse('invalid request: list of documents must not be empty')
  if (documents.length > 10_000) refuse('too many documents: at most 10000')
  const top = num(body['top_n']) ?? documents.length
  if (!Number.isInteger(top) || top < 1) refuse('invalid request: top_n must be at least 1')
  const bySearch = /v[1-4]\./.test(model)
  const chunks = documents.reduce((sum, text) => sum + Math.max(1, Math.ceil(countTokens(text) / 500)), 0)
  const tokens = countTokens(query) * documents.length + documents.reduce((sum, text) => sum + countTokens(text), 0)
  const counts = bySearch ? counted({ searches: Math.ceil(chunks / 100) }) : counted({ input: tokens })
  const wanted = words(query)
  return {
    ask: mediaAsk('rerank', model, query, false, knobsOf(query)),
    answers: false,
    counts,
    write: (calm, _worked, { id }) => {
      const results = documents
        .map((text, index) => {
          const has = words(text)
          const shared = [...wanted].filter((word) => has.has(word)).length
          return { index, relevance_score: Math.round(((shared / Math.max(1, wanted.size)) * 0.98 + 0.01 / (1 + has.size)) * 1e6) / 1e6 }
        })
        .sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
        .slice(0, top)
        .map((one) => (body['return_documents'] === true ? { ...one, document: { text: documents[one.index]! } } : one))
      const usage = reported(counts, calm.knobs.fault)
      return wholeReply(counts, { id: idFrom('', id, 32), results, meta: { api_version: { version: '2' }, ...(usage ? usageFor('rerank', usage) : {}) } })
    },
  }
}
