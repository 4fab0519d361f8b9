import { computeEmbeddingBounds } from './bounds.ts'
import type { DialectRules } from '../dialect.ts'
import { readBodyFacts } from '../facts.ts'
import { parseOpenaiUsage } from './usage.ts'

/** https://platform.openai.com/docs/api-reference/embeddings */
export const openaiEmbeddingsDialect: DialectRules = {
  id: 'openai-embeddings',
  surface: 'openai',
  endpoint: '/v1/embeddings',
  upstreamPath: () => '/v1/embeddings',
  readFacts: (body) => readBodyFacts(body, []),
  usageKey: 'usage',
  usageOf: parseOpenaiUsage,
  bounds: computeEmbeddingBounds,
  stream: undefined,
}
