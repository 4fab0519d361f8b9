/** Dialect of a request, which determines its body, usage and stream formats. */
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
/** Surface whose error shape and headers the caller expects. */
export type Surface = 'openai' | 'anthropic' | 'gemini'
export type VendorId = string

/** Purpose of a model. Only chat models are translated. */
export type ModelKind = 'chat' | 'embedding' | 'realtime' | 'image' | 'speech' | 'transcription' | 'moderation' | 'rerank'

/**
 * Differences of a model from others of its dialect, as far as translation needs them (ModelVendor.traits). thinks-by-budget: takes a token
 * budget, no effort. always-thinks: cannot be turned off. thinks-unless-told: thinks by default. thinks-by-level: takes effort levels.
 * media-results: images in tool results. max-effort: supports the effort `max`. system-turns: system messages among the turns.
 */
export type Trait = 'thinks-by-budget' | 'always-thinks' | 'thinks-unless-told' | 'thinks-by-level' | 'media-results' | 'max-effort' | 'system-turns'
