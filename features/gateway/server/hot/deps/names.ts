/** How a request is spoken: which body, which usage, which stream. */
export type Dialect =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-embeddings'
  | 'openai-completions'
  | 'openai-images'
  | 'openai-image-edits'
  | 'openai-speech'
  | 'openai-transcriptions'
  | 'openai-translations'
  | 'openai-moderations'
  | 'rerank'
  | 'anthropic-messages'
  | 'gemini-generate'
  | 'gemini-embed'
  | 'openai-realtime'
  | 'gemini-live'
/** Whose error shape and headers the caller expects. */
export type Surface = 'openai' | 'anthropic' | 'gemini'
export type VendorId = string

/** What a model is for. Only chat models are translated. */
export type ModelKind = 'chat' | 'embedding' | 'realtime' | 'image' | 'speech' | 'transcription' | 'moderation' | 'rerank'

/**
 * How a model differs from others of its dialect, as far as a translated request must know (ModelVendor.traits).
 * thinks-by-budget: knows tokens, no effort. always-thinks: cannot be told not to. thinks-unless-told: thinks by itself.
 * thinks-by-level: has levels of effort. media-results: pictures in tool results. max-effort: has the effort `max`. system-turns: system messages among the turns.
 */
export type Trait = 'thinks-by-budget' | 'always-thinks' | 'thinks-unless-told' | 'thinks-by-level' | 'media-results' | 'max-effort' | 'system-turns'
