import * as anthropic from '../terms/anthropic.ts'
import * as gemini from '../terms/gemini.ts'
import * as openai from '../terms/openai.ts'
import * as media from '../terms/openai-media.ts'
import type { TermsTable } from '../terms/terms.ts'
import { readSdkShapes } from './sdk-types.ts'
import type { SdkShape } from './sdk-types.ts'

/** Every SDK type that a call or an answer consists of, and the table that must name each of its parts. */
interface Checked extends SdkShape {
  readonly has: (name: string) => boolean
  /** Members internal to the SDK, which never leave the client. */
  readonly apart?: readonly string[]
}

const checkTable =
  (...tables: readonly TermsTable[]) =>
  (name: string) =>
    tables.some((table) => Object.hasOwn(table, name))
const checkPaths =
  (known: ReadonlySet<string>, prefix = '') =>
  (path: string) =>
    known.has(prefix + path)
const members = (type: string, ...tables: readonly TermsTable[]): Checked => ({ type, as: 'members', has: checkTable(...tables) })
const usage = (type: string, known: ReadonlySet<string>, prefix = ''): Checked => ({ type, as: 'paths', has: checkPaths(known, prefix) })

/** Names that Google's SDK sends outside the body, or renames. */
const CLIENT_ONLY = [
  'httpOptions',
  'abortSignal',
  'automaticFunctionCalling',
  'shouldReturnHttpResponse',
  'imageConfig',
  'model',
  'config',
  'automaticContinuation',
]

const CHECKED: readonly Checked[] = [
  members('OpenAI.ChatCompletionCreateParams', openai.CHAT_FIELDS),
  members('OpenAI.Responses.ResponseCreateParams', openai.RESPONSES_FIELDS),
  members('OpenAI.CompletionCreateParams', openai.COMPLETIONS_FIELDS),
  members('OpenAI.EmbeddingCreateParams', openai.EMBEDDINGS_FIELDS),
  members('OpenAI.Images.ImageGenerateParams', media.IMAGES_FIELDS),
  members('OpenAI.Images.ImageEditParams', media.IMAGES_FIELDS),
  members('OpenAI.Audio.SpeechCreateParams', media.SPEECH_FIELDS),
  members('OpenAI.Audio.TranscriptionCreateParams', media.TRANSCRIPTION_FIELDS),
  members('OpenAI.Audio.TranslationCreateParams', media.TRANSCRIPTION_FIELDS),
  members('OpenAI.ModerationCreateParams', media.MODERATION_FIELDS),
  members('OpenAI.Realtime.RealtimeSessionCreateRequest', media.REALTIME_FIELDS),
  members('OpenAI.Realtime.RealtimeResponseCreateParams', media.REALTIME_FIELDS),
  members('Anthropic.MessageCreateParams', anthropic.MESSAGES_FIELDS),
  { ...members('Anthropic.Beta.MessageCreateParams', anthropic.MESSAGES_FIELDS), apart: ['betas'] },
  { ...members('Google.GenerateContentConfig', gemini.GENERATE_FIELDS, gemini.GENERATION_CONFIG), apart: CLIENT_ONLY },
  members('Google.GenerationConfig', gemini.GENERATION_CONFIG),
  { ...members('Google.EmbedContentParameters', gemini.EMBED_FIELDS), apart: CLIENT_ONLY },
  { ...members('Google.EmbedContentConfig', gemini.EMBED_FIELDS), apart: CLIENT_ONLY },
  members('Google.Tool', gemini.GEMINI_TOOLS),
  { type: 'OpenAI.ChatCompletionTool', as: 'tags', has: checkTable(openai.CHAT_TOOLS) },
  { type: 'OpenAI.Responses.Tool', as: 'tags', has: checkTable(openai.RESPONSES_TOOLS) },
  { type: 'OpenAI.Realtime.RealtimeToolsConfigUnion', as: 'tags', has: checkTable(media.REALTIME_TOOLS) },
  { type: 'Extract<OpenAI.Responses.ResponseOutputItem["type"], `${string}_call`>', as: 'tags', has: checkTable(openai.ANSWER_CALLS) },
  { type: 'NonNullable<OpenAI.Responses.ResponseCreateParams["service_tier"]>', as: 'tags', has: checkTable(openai.TIERS) },
  { type: 'NonNullable<OpenAI.ChatCompletion["service_tier"]>', as: 'tags', has: checkTable(openai.TIERS) },
  { type: 'Anthropic.ToolUnion', as: 'tags', has: (type) => checkTable(anthropic.MESSAGES_TOOLS)(anthropic.parseToolFamily(type)) },
  { type: 'Anthropic.Beta.BetaToolUnion', as: 'tags', has: (type) => checkTable(anthropic.MESSAGES_TOOLS)(anthropic.parseToolFamily(type)) },
  { type: 'NonNullable<Anthropic.Beta.BetaUsage["speed"]>', as: 'tags', has: checkTable(anthropic.SPEEDS) },
  { type: 'NonNullable<Anthropic.Beta.BetaUsage["service_tier"]>', as: 'tags', has: checkTable(anthropic.SERVICE_TIERS) },
  { type: 'NonNullable<Anthropic.Beta.BetaUsage["iterations"]>[number]', as: 'tags', has: checkTable(anthropic.ITERATION_STEPS) },
  { type: '`${Google.ServiceTier}`', as: 'tags', has: checkTable(gemini.GEMINI_TIERS) },
  { type: 'Lowercase<`${Google.TrafficType}`>', as: 'tags', has: checkTable(gemini.TRAFFIC_TYPES) },
  { type: '`${Google.MediaModality}`', as: 'tags', has: checkTable(gemini.MODALITIES) },
  usage('OpenAI.CompletionUsage', openai.OPENAI_USAGE),
  usage('OpenAI.Responses.ResponseUsage', openai.OPENAI_USAGE),
  usage('OpenAI.CreateEmbeddingResponse["usage"]', openai.OPENAI_USAGE),
  usage('NonNullable<OpenAI.Responses.Response["tool_usage"]>', openai.TOOL_USAGE),
  usage('NonNullable<OpenAI.Images.ImagesResponse["usage"]>', media.IMAGES_USAGE),
  usage('NonNullable<OpenAI.Audio.Transcription["usage"]>', media.AUDIO_USAGE),
  usage('OpenAI.Realtime.RealtimeResponseUsage', media.REALTIME_USAGE),
  usage('Anthropic.Usage', anthropic.MESSAGES_USAGE),
  usage('Anthropic.Beta.BetaUsage', anthropic.MESSAGES_USAGE),
  usage('Google.GenerateContentResponseUsageMetadata', gemini.GEMINI_USAGE),
  usage('Google.UsageMetadata', gemini.GEMINI_USAGE),
]

export interface MissingTerms {
  /** Names missing from all tables, as `type: name`. */
  readonly unknown: readonly string[]
  /** Types missing from these SDKs, or without readable names. */
  readonly gone: readonly string[]
}

/** Compares the tables with the SDKs in `folder`'s node_modules. */
export function findMissingTerms(folder: string): MissingTerms {
  const names = readSdkShapes(folder, CHECKED)
  return {
    unknown: CHECKED.flatMap(({ type, has, apart }, at) =>
      names[at]!.filter((name) => !has(name) && apart?.includes(name) !== true).map((name) => `${type}: ${name}`),
    ),
    gone: CHECKED.filter((_one, at) => names[at]!.length === 0).map(({ type }) => type),
  }
}
