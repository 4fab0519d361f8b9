import type { Model } from '../hot/deps.ts'

/**
 * Names that frameworks still ask for by default, of models that were gone before this host began. Each is answered by a model that
 * takes the same settings, is its vendor's own successor or stands in its line, and costs no more; the answer says so, as for any retired model.
 */
const ANSWERED: Readonly<Record<string, readonly string[]>> = {
  'gpt-4o-mini': ['gpt-3.5-turbo', 'gpt-3.5-turbo-0125', 'gpt-3.5-turbo-1106', 'gpt-3.5-turbo-16k', 'gpt-35-turbo'],
  'gpt-4.1': ['gpt-4', 'gpt-4-0613', 'gpt-4-turbo', 'gpt-4-turbo-preview', 'gpt-4-1106-preview', 'gpt-4-vision-preview'],
  'claude-haiku-5-5': ['claude-3-haiku-20240307', 'claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest'],
  'claude-sonnet-5-5': [
    'claude-3-5-sonnet-20240620',
    'claude-3-5-sonnet-20241022',
    'claude-3-5-sonnet-latest',
    'claude-3-7-sonnet-20250219',
    'claude-3-7-sonnet-latest',
  ],
  'claude-opus-5-5': ['claude-3-opus-20240229', 'claude-3-opus-latest'],
  'gemini-2.5-flash-lite': ['gemini-1.5-flash', 'gemini-1.5-flash-latest', 'gemini-2.0-flash', 'gemini-2.0-flash-exp'],
  'gemini-2.5-flash': ['gemini-pro', 'gemini-1.5-pro', 'gemini-1.5-pro-latest'],
  'omni-moderation-latest': ['text-moderation-latest', 'text-moderation-stable'],
}

/** The same where another model's answer would not do, as vectors and scores of two models cannot be compared: the refusal names it. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  'text-embedding-3-small': ['text-embedding-ada-002'],
  'gemini-embedding-2': ['gemini-embedding-001', 'text-embedding-004', 'embedding-001'],
  'rerank-v5.0-fast': ['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0', 'rerank-english-v2.0', 'rerank-multilingual-v2.0'],
  'gpt-image-2': ['dall-e-2', 'dall-e-3'],
}

/** Gives these names what they find, where nothing else has them. `heirOf`: who answers for a model today. */
export function nameOld(names: Map<string, Model>, heirOf: (id: string) => Model | undefined): void {
  const each = (table: Readonly<Record<string, readonly string[]>>, make: (heir: Model, name: string) => Model): void => {
    for (const [id, olds] of Object.entries(table)) {
      const heir = heirOf(id)
      for (const name of olds) if (heir !== undefined && !names.has(name)) names.set(name, make(heir, name))
    }
  }
  each(ANSWERED, (heir, name) => ({ ...heir, notice: ['x-mingxi-model', heir.id, 'x-mingxi-rerouted-from', name], answersFor: name }))
  each(NAMED, (heir, name) => ({ ...heir, id: name, lifecycle: 'retired', successor: heir.id }))
}
