import { sealIsGenuine, type Ask, type Block } from './ask.ts'
import { refuse } from '../write/errors.ts'
import { num, obj, objects, str, strings, type Json, type JsonObject } from './json.ts'
import { withoutMarkers, type Knobs } from './knobs.ts'
import { MEDIA_TOKENS, MESSAGE_TOKENS, REQUEST_TOKENS, countTokens } from '../tokens.ts'

/** Google's JSON accepts every field in camelCase and in snake_case. */
export function field(holder: JsonObject, name: string): Json | undefined {
  return holder[name] ?? holder[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}
const inside = (holder: JsonObject, name: string): JsonObject => obj(field(holder, name))

/** Tokens of thought of a model that thinks, unless told. */
const THOUGHTS = 24
/** Values Google documents for clients that have no signature to send. */
const NO_SIGNATURE = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

export function readGenerate(body: JsonObject, model: string, streaming: boolean, knobsOf: (text: string) => Knobs): Ask {
  const contents = objects(body['contents'])
  if (!contents.length) refuse('* GenerateContentRequest.contents: contents is not specified\n')
  for (const [at, content] of contents.entries()) checkContent(content, at)
  checkSignatures(contents, model)
  const config = inside(body, 'generationConfig')
  const asked = questionOf(contents)
  const knobs = knobsOf(asked)
  const tools = objects(body['tools'])
  const calling = inside(inside(body, 'toolConfig'), 'functionCallingConfig')
  const allowed = strings(field(calling, 'allowedFunctionNames'))
  const forced = str(calling['mode'])?.toUpperCase() === 'ANY'
  return {
    dialect: 'gemini-generate',
    model,
    stream: streaming,
    knobs,
    blocks: blocksOf(body, contents, config),
    question: withoutMarkers(asked),
    images: contents.flatMap((content) => objects(content['parts'])).filter((part) => /^image\//.test(mimeOf(part))).length,
    toolResults: objects(contents.at(-1)!['parts']).flatMap((part) => (field(part, 'functionResponse') ? [resultText(inside(part, 'functionResponse'))] : [])),
    tools: tools
      .flatMap((tool) => objects(field(tool, 'functionDeclarations')))
      .map((it) => ({
        name: str(it['name']) ?? '',
        description: str(it['description']) ?? '',
        schema: obj(field(it, 'parametersJsonSchema') ?? it['parameters']),
      })),
    toolChoice: forced ? (allowed.length ? allowed : 'required') : str(calling['mode'])?.toUpperCase() === 'NONE' ? 'none' : 'auto',
    parallelTools: true,
    maxTokens: num(field(config, 'maxOutputTokens')),
    stops: strings(field(config, 'stopSequences')),
    answers: Math.min(8, Math.max(1, num(field(config, 'candidateCount')) ?? 1)),
    json: field(config, 'responseMimeType') === 'application/json' ? schemaOf(config) : 'no',
    thinking: thoughtsFor(model, inside(config, 'thinkingConfig'), knobs),
  }
}

function schemaOf(config: JsonObject): Ask['json'] {
  const schema = field(config, 'responseJsonSchema') ?? field(config, 'responseSchema')
  return schema === undefined ? 'any' : obj(schema)
}

export function thinks(model: string): boolean {
  return /gemini-(2\.5|[3-9])|think/.test(model)
}

function thoughtsFor(model: string, config: JsonObject, knobs: Knobs): number {
  if (!thinks(model) || field(config, 'thinkingBudget') === 0) return 0
  return knobs.thinking ?? THOUGHTS
}

function mimeOf(part: JsonObject): string {
  return str(field(inside(part, 'inlineData'), 'mimeType')) ?? str(field(inside(part, 'fileData'), 'mimeType')) ?? ''
}

function checkContent(content: JsonObject, at: number): void {
  const role = content['role']
  if (role !== undefined && role !== 'user' && role !== 'model' && role !== 'function') refuse('Please use a valid role: user, model.')
  if (!objects(content['parts']).length) refuse(`* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.\n`)
}

/** Gemini 3 demands the signature of the first call of each step of the current turn; a wrong one is refused everywhere. */
function checkSignatures(contents: readonly JsonObject[], model: string): void {
  const turn = contents.findLastIndex((content) => content['role'] !== 'model' && objects(content['parts']).some((part) => part['text'] !== undefined))
  for (const [at, content] of contents.entries()) {
    const parts = objects(content['parts'])
    const first = parts.findIndex((part) => field(part, 'functionCall'))
    for (const [index, part] of parts.entries()) {
      const signature = str(field(part, 'thoughtSignature'))
      // Of calls side by side only the first one's is looked at.
      const isLater = field(part, 'functionCall') !== undefined && index > first
      if (signature && !isLater && !NO_SIGNATURE.includes(signature) && !sealIsGenuine(signature)) refuse('Thought signature is not valid.')
      if (!signature && index === first && at > turn && /gemini-([3-9]|\d\d)/.test(model) && content['role'] === 'model') {
        refuse(
          `Function call is missing a thought_signature in functionCall parts. Function call \`${str(inside(part, 'functionCall')['name']) ?? ''}\`, position ${index + 1}.`,
        )
      }
    }
  }
}

function questionOf(contents: readonly JsonObject[]): string {
  for (const content of contents.toReversed()) {
    if (content['role'] === 'model') continue
    const text = objects(content['parts'])
      .map((part) => str(part['text']))
      .filter(Boolean)
      .join('\n')
    if (text) return text
  }
  return ''
}

function resultText(response: JsonObject): string {
  const result = obj(response['response'])
  const only = result['output'] ?? result['result'] ?? result['content'] ?? result
  return typeof only === 'string' ? only : JSON.stringify(only)
}

function blocksOf(body: JsonObject, contents: readonly JsonObject[], config: JsonObject): Block[] {
  const counted = (value: Json | undefined): Block[] => {
    if (value === undefined) return []
    const text = JSON.stringify(value)
    return [{ text, tokens: countTokens(text) }]
  }
  const tools = objects(body['tools'])
  return [
    { text: '', tokens: REQUEST_TOKENS },
    ...counted(tools.length ? tools : undefined),
    ...counted(field(config, 'responseJsonSchema') ?? field(config, 'responseSchema')),
    ...objects(inside(body, 'systemInstruction')['parts']).map(partBlock),
    ...contents.flatMap((content) => [{ text: `\n${str(content['role']) ?? 'user'}:`, tokens: MESSAGE_TOKENS }, ...objects(content['parts']).map(partBlock)]),
  ]
}

/** Signatures are not counted: a client may drop them. */
export function partBlock(part: JsonObject): Block {
  const { thoughtSignature: _, thought_signature: __, ...rest } = part
  const media = field(part, 'inlineData') ?? field(part, 'fileData')
  const text = str(part['text']) ?? JSON.stringify(rest)
  return { text, tokens: media ? (/^image\//.test(mimeOf(part)) ? MEDIA_TOKENS.gemini : MEDIA_TOKENS.document) : countTokens(text) }
}
