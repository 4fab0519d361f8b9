import type { Ask, Block, Counts } from '../read/ask.ts'
import { writeMessage } from './anthropic.ts'
import { readMessages } from '../read/anthropic.ts'
import { asBase64, embed } from './embeddings.ts'
import { refuse } from './errors.ts'
import { writeGenerate } from './gemini.ts'
import { field, partBlock, readGenerate } from '../read/gemini.ts'
import { num, obj, objects, str, type Json, type JsonObject } from '../read/json.ts'
import { readKnobs, withoutMarkers, type Knobs } from '../read/knobs.ts'
import { checkModel } from '../models.ts'
import { embeddingTexts, readChat, writeChat } from './openai-chat.ts'
import { writeResponse } from './openai-responses.ts'
import { readResponse } from '../read/openai-responses.ts'
import { heardIn, playedTurn } from '../player.ts'
import type { Prepared } from './prepared.ts'
import { JSON_TYPE, type WrittenReply, type Writing } from './reply.ts'
import { createResponseStore } from '../response-store.ts'
import { readCompletion, writeCompletion } from './completions.ts'
import { prepareImages } from '../media/images.ts'
import { prepareModeration, prepareRerank } from './scores.ts'
import { prepareSpeech } from '../media/speech.ts'
import { countTokens } from '../tokens.ts'
import { prepareTranscript } from '../media/transcripts.ts'
import { reported, usageFor } from '../usage.ts'
import type { Body, Visit } from '../visit.ts'

export function createDialects(chunkMs: number): { prepare(visit: Visit, body: Body): Prepared | { readonly json: Json } } {
  const store = createResponseStore()
  const knobsOf = (text: string): Knobs => readKnobs(text, { chunk: chunkMs })
  const tokensOf = (ask: Ask): number => ask.blocks.reduce((sum, block) => sum + block.tokens, 0)
  const ready = (read: Ask, body: JsonObject, write: (writing: Writing) => WrittenReply): Prepared => {
    checkModel(read.model)
    const ask: Ask = { ...read, played: playedTurn(heardIn(read.dialect, body), read.tools) }
    return { ask, answers: true, write: (calm, worked, ids) => write({ ask: calm, ...worked, ...ids }) }
  }

  return {
    prepare({ req, endpoint }, { json: body, files }) {
      switch (endpoint.action) {
        case 'chat':
          return ready(readChat(body, knobsOf), body, (writing) => writeChat(writing, body))
        case 'responses': {
          const { ask, items } = readResponse(body, knobsOf, store)
          return ready(ask, body, (writing) => {
            const { reply, response, items: output } = writeResponse(writing, body)
            if (body['store'] !== false) store.keep(str(response['id'])!, response, items, output)
            return reply
          })
        }
        case 'response-tokens':
          return { json: { object: 'response.input_tokens', input_tokens: tokensOf(readResponse(body, knobsOf, store).ask) } }
        case 'response':
          return { json: storedResponse(req.method, endpoint.id) }
        case 'embeddings':
          return embeddings(body, knobsOf)
        case 'completions':
          return ready(readCompletion(body, knobsOf), body, (writing) => writeCompletion(writing, body))
        case 'images':
          return prepareImages('openai-images', body, files, knobsOf)
        case 'image-edits':
          return prepareImages('openai-image-edits', body, files, knobsOf)
        case 'speech':
          return prepareSpeech(body, knobsOf)
        case 'transcriptions':
          return prepareTranscript('openai-transcriptions', body, files, knobsOf)
        case 'translations':
          return prepareTranscript('openai-translations', body, files, knobsOf)
        case 'moderations':
          return prepareModeration(body, knobsOf)
        case 'rerank':
          return prepareRerank(body, knobsOf)
        case 'messages':
          return ready(readMessages(body, version(req.headers['anthropic-version']), knobsOf, false), body, (writing) => writeMessage(writing, body))
        case 'count-messages':
          return { json: { input_tokens: tokensOf(readMessages(body, version(req.headers['anthropic-version']), knobsOf, true)) } }
        case 'generate':
          return ready(readGenerate(body, endpoint.id, false, knobsOf), body, (writing) => writeGenerate(writing, body, false))
        case 'stream':
          return ready(readGenerate(body, endpoint.id, true, knobsOf), body, (writing) => writeGenerate(writing, body, endpoint.query.get('alt') === 'sse'))
        case 'count-generate':
          return { json: countGenerate(body, endpoint.id, knobsOf) }
        case 'embed':
          return geminiEmbed(endpoint.id, [body], false, knobsOf)
        case 'batch-embed':
          return geminiEmbed(endpoint.id, objects(body['requests']), true, knobsOf)
        default:
          return refuse('Not found.', {}, 'not-found')
      }
    },
  }

  function storedResponse(method: string | undefined, id: string): Json {
    if (method === 'DELETE' && store.remove(id)) return { id, object: 'response', deleted: true }
    return (method === 'GET' ? store.response(id) : undefined) ?? refuse(`Response with id '${id}' not found.`, { param: 'id' }, 'not-found')
  }
}

function version(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function countGenerate(body: JsonObject, model: string, knobsOf: (text: string) => Knobs): JsonObject {
  checkModel(model)
  const request = obj(field(body, 'generateContentRequest'))
  const ask = readGenerate(request['contents'] ? request : body, model, false, knobsOf)
  const totalTokens = ask.blocks.reduce((sum, block) => sum + block.tokens, 0)
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }
}

/** An embedding call as an ask without an answer. */
function embeddingAsk(dialect: 'openai-embeddings' | 'gemini-embed', model: string, blocks: readonly Block[], text: string, knobs: Knobs): Ask {
  checkModel(model)
  return {
    dialect,
    model,
    stream: false,
    blocks,
    question: withoutMarkers(text),
    images: 0,
    toolResults: [],
    tools: [],
    toolChoice: 'none',
    parallelTools: false,
    maxTokens: undefined,
    stops: [],
    answers: 0,
    json: 'no',
    thinking: 0,
    knobs,
  }
}

const whole = (counts: Counts, data: Json): WrittenReply => ({
  contentType: JSON_TYPE,
  counts,
  midError: () => '',
  frames: [{ data: JSON.stringify(data), output: 0, reasoning: 0 }],
})

function embeddings(body: JsonObject, knobsOf: (text: string) => Knobs): Prepared {
  const model = str(body['model']) ?? refuse('you must provide a model parameter')
  const texts = embeddingTexts(body['input'])
  if (!texts.length || texts.some((text) => text === '')) refuse("'$.input' is invalid.", { param: 'input' })
  const dimensions = Math.min(4096, num(body['dimensions']) ?? (model.includes('large') ? 3072 : 1536))
  return {
    ask: embeddingAsk(
      'openai-embeddings',
      model,
      texts.map((text) => ({ text, tokens: countTokens(text) })),
      texts.at(-1)!,
      knobsOf(texts.join('\n')),
    ),
    answers: false,
    write: (ask, { counts }) => {
      const data = texts.map((text, index) => {
        const vector = embed(text, dimensions)
        return { object: 'embedding', index, embedding: body['encoding_format'] === 'base64' ? asBase64(vector) : vector }
      })
      const usage = reported(counts, ask.knobs.fault)
      return whole(counts, { object: 'list', data, model, ...(usage ? { usage: usageFor('openai-embeddings', usage) } : {}) })
    },
  }
}

/** gemini-embedding-001 reports no usage, as the real one; later models do. */
function geminiEmbed(model: string, requests: readonly JsonObject[], batch: boolean, knobsOf: (text: string) => Knobs): Prepared {
  if (!requests.length) refuse('* BatchEmbedContentsRequest.requests: must not be empty\n')
  const blocks = requests.map((request): Block => {
    const parts = objects(obj(request['content'])['parts']).map(partBlock)
    if (!parts.length) refuse('* EmbedContentRequest.content: content is not specified\n')
    return { text: parts.map((part) => part.text).join('\n'), tokens: parts.reduce((sum, part) => sum + part.tokens, 0) }
  })
  const text = blocks.map((block) => block.text).join('\n')
  return {
    ask: embeddingAsk('gemini-embed', model, blocks, text, knobsOf(text)),
    answers: false,
    write: (ask, { counts }) => {
      const found = requests.map((request, at) => ({ values: embed(blocks[at]!.text, Math.min(3072, num(field(request, 'outputDimensionality')) ?? 3072)) }))
      const usage = model.includes('001') ? undefined : reported(counts, ask.knobs.fault)
      return whole(counts, {
        ...(batch ? { embeddings: found } : { embedding: found[0]! }),
        ...(usage ? { usageMetadata: usageFor('gemini-embed', usage) } : {}),
      })
    },
  }
}
