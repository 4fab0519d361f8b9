import type { Raw } from '../../usage/usage.ts'
import type { WriteTarget, NeutralRequest, ToolChoice, Format, MediaPart, MessagePart, Seal, MessageTextPart, Thinking, ConversationTurn } from '../form.ts'
import { hoistSystemTurns } from '../hoist.ts'
import { filterAllowedTools } from '../chat/write.ts'
import { joinTextParts, dropVerbosity, parseCallArguments, dropDetail, rejectField } from '../reading.ts'

const DIALECT = 'gemini-generate'
/**
 * The vendor's value for a call whose signature is unknown (another model made it, or the client lost it).
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const UNSIGNED_SIGNATURE = 'skip_thought_signature_validator'
/** Tokens by effort, as the vendor's OpenAI-compatible API counts them. https://ai.google.dev/gemini-api/docs/openai */
const BUDGETS = { none: 0, minimal: 512, low: 1_024, medium: 8_192, high: 24_576, xhigh: 24_576, max: 24_576 } as const

export function writeGeminiRequest(ask: NeutralRequest, { traits }: WriteTarget): Raw {
  dropVerbosity(ask)
  const { tools, choice } = filterAllowedTools(ask)
  const config = {
    maxOutputTokens: ask.maxTokens,
    temperature: ask.settings.temperature,
    topP: ask.settings.topP,
    topK: ask.settings.topK,
    seed: ask.settings.seed,
    presencePenalty: ask.settings.presencePenalty,
    frequencyPenalty: ask.settings.frequencyPenalty,
    stopSequences: ask.stops.length === 0 ? undefined : ask.stops,
    ...formatFor(ask.format),
    thinkingConfig: thinkingFor(ask.thinking, traits),
    candidateCount: ask.copies === 1 ? undefined : ask.copies,
    responseLogprobs: ask.logprobs && true,
    logprobs: ask.logprobs?.top,
  }
  const { system, turns } = hoistSystemTurns(ask, () => false)
  return {
    contents: turns.map((turn) => contentOf(turn, traits)),
    systemInstruction: system.length === 0 ? undefined : { parts: system.map((part) => ({ text: part.text })) },
    tools:
      tools.length === 0
        ? undefined
        : [{ functionDeclarations: tools.map((tool) => ({ name: tool.name, description: tool.description, parametersJsonSchema: tool.schema })) }],
    toolConfig:
      tools.length === 0
        ? undefined
        : choiceFor(
            choice,
            tools.some((tool) => tool.strict === true),
          ),
    generationConfig: config,
  }
}

function formatFor(format: Format | undefined): Raw {
  if (format === undefined) return {}
  return { responseMimeType: 'application/json', responseJsonSchema: format.kind === 'schema' ? format.schema : undefined }
}

/** Levels since Gemini 3, token budgets before. https://ai.google.dev/gemini-api/docs/thinking */
const LEVELS = { minimal: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH', xhigh: 'HIGH', max: 'HIGH' } as const

function thinkingFor(thinking: Thinking | undefined, traits: WriteTarget['traits']): Raw | undefined {
  if (thinking === undefined) return undefined
  const { effort } = thinking
  if (traits.has('thinks-by-level') && effort !== undefined && effort !== 'none') return { includeThoughts: thinking.shown, thinkingLevel: LEVELS[effort] }
  const budget = thinking.budget ?? (thinking.effort === undefined ? undefined : BUDGETS[thinking.effort])
  return { includeThoughts: thinking.shown, thinkingBudget: budget }
}

/** A strict tool is a validated one here; a forced call is always validated. */
function choiceFor(choice: ToolChoice | undefined, strict: boolean): Raw | undefined {
  if (choice === undefined) return strict ? { functionCallingConfig: { mode: 'VALIDATED' } } : undefined
  const mode = choice.mode === 'required' ? 'ANY' : choice.mode === 'none' ? 'NONE' : strict ? 'VALIDATED' : 'AUTO'
  return { functionCallingConfig: { mode, allowedFunctionNames: choice.names.length === 0 ? undefined : choice.names } }
}

function contentOf(turn: ConversationTurn, traits: WriteTarget['traits']): Raw {
  const parts: Raw[] = []
  let waiting: Seal | undefined
  let first = true
  for (const part of turn.parts) {
    if (part.kind === 'thinking') {
      // Thoughts of another model prove nothing here: drop them (README).
      if (part.seal?.from !== DIALECT) continue
      if (part.text !== '') parts.push({ text: part.text, thought: true })
      waiting = part.seal
    } else if (part.kind === 'call') {
      const seal = part.seal?.from === DIALECT ? part.seal : waiting
      waiting = undefined
      parts.push({
        functionCall: { id: part.id, name: part.name, args: parseCallArguments(part.args) },
        thoughtSignature: seal?.value ?? (first ? UNSIGNED_SIGNATURE : undefined),
      })
      first = false
    } else parts.push(partFor(part, traits))
  }
  if (waiting !== undefined) parts.push({ text: '', thoughtSignature: waiting.value })
  return { role: turn.role === 'assistant' ? 'model' : 'user', parts: parts.length === 0 ? [{ text: ' ' }] : parts }
}

function partFor(part: Exclude<MessagePart, { kind: 'thinking' | 'call' }>, traits: WriteTarget['traits']): Raw {
  if (part.kind === 'text') return { text: part.text, thoughtSignature: part.seal?.from === DIALECT ? part.seal.value : undefined }
  if (part.kind !== 'result') return mediaFor(part)
  const said = joinTextParts(part.parts.filter((inner) => inner.kind === 'text'))
  return {
    functionResponse: {
      id: part.id,
      name: part.name,
      response: part.isError ? { error: said } : { output: said },
      parts: mediaIn(part.parts, traits),
    },
  }
}

/** Since Gemini 3. https://ai.google.dev/gemini-api/docs/function-calling */
function mediaIn(parts: readonly (MessageTextPart | MediaPart)[], traits: WriteTarget['traits']): Raw[] | undefined {
  const media = parts.filter((part) => part.kind !== 'text')
  if (media.length === 0) return undefined
  return media.map((part) =>
    traits.has('media-results') ? mediaFor(part) : rejectField(part.at, 'is no text, which is all that a result can be for this model'),
  )
}

function mediaFor(part: MediaPart): Raw {
  dropDetail(part)
  if (part.url === undefined) return { inlineData: { mimeType: part.mime, data: part.data } }
  return { fileData: { fileUri: part.url, mimeType: part.mime === '' ? guessMime(part) : part.mime } }
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
}

/** The vendor requires a type with a URL, which others do not specify: derive it from the URL's extension. */
function guessMime(part: MediaPart): string {
  const ending = /\.([a-z]+)(?:[?#]|$)/i.exec(part.url ?? '')?.[1]?.toLowerCase() ?? ''
  return TYPES[ending] ?? rejectField(part.at, 'must be sent inline for this model, or as a URL that ends in .png, .jpg, .webp, .gif or .pdf')
}
