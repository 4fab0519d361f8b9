import type { Dialect } from '../deps.ts'

/** Maximum contents of a request body at an endpoint. */
export interface BodyBounds {
  readonly bytes: number
  /** JSON values: members, elements, objects and lists. */
  readonly values: number
  /** Maximum nesting of objects and lists. */
  readonly depth: number
}

const MB = 1_024 * 1_024
/** A thousand messages with two hundred tools amount to some 50,000. */
const VALUES = 100_000
/** Deeper than any vendor accepts. */
const DEPTH = 256
/** Translated bodies become objects, which take several times their bytes. */
export const MAX_TRANSLATED_BYTES = 16 * MB
/** Bodies up to this size are cheap to read regardless of content, and are read before money and limits are checked. */
export const SMALL_BODY_BYTES = 32_768

/** True if reading a body of this length takes longer than one turn of the event loop may: other work runs between the steps. */
export const needsSlices = (body: Buffer): boolean => body.length > SMALL_BODY_BYTES

/**
 * Request size limits that vendors document: Claude 32 MB (https://docs.claude.com/en/api/errors), audio 25 MB plus form fields,
 * speech 4,096 characters, embeddings 300,000 tokens by number or text. Other inline bodies: the operator's limit.
 */
const MAX_BYTES_BY_DIALECT: Readonly<Partial<Record<Dialect, number>>> = {
  'anthropic-messages': 32 * MB,
  'openai-embeddings': 8 * MB,
  'gemini-embed': 8 * MB,
  'openai-completions': 8 * MB,
  'openai-images': 1 * MB,
  'openai-speech': 1 * MB,
  'openai-transcriptions': 26 * MB,
  'openai-translations': 26 * MB,
  'rerank': 8 * MB,
}
const MAX_VALUES_BY_DIALECT: Readonly<Partial<Record<Dialect, number>>> = { 'openai-embeddings': 400_000 }

/** Limits of an endpoint; without a dialect, the general limits. */
export function resolveBodyBounds(dialect: Dialect | undefined, operators: number): BodyBounds {
  const bytes = dialect === undefined ? undefined : MAX_BYTES_BY_DIALECT[dialect]
  const values = dialect === undefined ? undefined : MAX_VALUES_BY_DIALECT[dialect]
  return { bytes: Math.min(bytes ?? operators, operators), values: values ?? VALUES, depth: DEPTH }
}
