import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI } from '@langchain/openai'
import { ClientLeftError } from '../driver.ts'
import type { ClientQuestion, ClientDriver, ClientTarget, ClientReply, ConformanceVendor } from '../driver.ts'

interface ModelMaker {
  readonly model: (at: ClientTarget, asked: ClientQuestion) => BaseChatModel
  /** Options of one call that select tools, response schema and cache. */
  readonly options: (asked: ClientQuestion) => object
}

function createAsk(maker: ModelMaker): ClientDriver['ask'] {
  return async function ask(at: ClientTarget, asked: ClientQuestion, history?: readonly BaseMessage[]): Promise<ClientReply> {
    const messages = history ? [...history] : [...(asked.system ? [new SystemMessage(asked.system)] : []), new HumanMessage(contentOf(asked))]
    const tools = asked.tool
      ? [{ type: 'function', function: { name: asked.tool.name, description: asked.tool.description, parameters: asked.tool.schema } }]
      : []
    const base = maker.model(at, asked)
    const model = tools.length > 0 ? base.bindTools!(tools, maker.options(asked)) : base
    const options = tools.length > 0 ? {} : maker.options(asked)
    const gone = new AbortController()
    let pieces = 0
    let argPieces = 0
    const streamed = async (): Promise<AIMessage> => {
      let whole: AIMessageChunk | undefined
      for await (const chunk of await model.stream(messages, { ...options, signal: gone.signal })) {
        if (chunk.text !== '') pieces++
        if (chunk instanceof AIMessageChunk && chunk.tool_call_chunks?.some((piece) => piece.args)) argPieces++
        whole = whole === undefined ? (chunk as AIMessageChunk) : whole.concat(chunk as AIMessageChunk)
        if (asked.leave && pieces > 0) {
          gone.abort()
          throw new ClientLeftError()
        }
      }
      return whole as unknown as AIMessage
    }
    const reply = asked.stream ? await streamed() : ((await model.invoke(messages, options)) as AIMessage)
    const calls = reply.tool_calls ?? []
    const usage = reply.usage_metadata
    return {
      text: reply.text,
      calls: calls.map((call) => ({ name: call.name, args: call.args as unknown })),
      end: endOf(reply, calls.length),
      usage: { input: usage?.input_tokens ?? 0, output: usage?.output_tokens ?? 0, cached: usage?.input_token_details?.cache_read ?? 0 },
      thought: (usage?.output_token_details?.reasoning ?? 0) > 0 || JSON.stringify([reply.content, reply.additional_kwargs]).includes('"thinking"'),
      pieces,
      argPieces,
      answer: (result) =>
        ask(at, asked, [...messages, reply, ...calls.map((call) => new ToolMessage({ content: result, tool_call_id: call.id!, name: call.name }))]),
    }
  }
}

function endOf(reply: AIMessage, calls: number): ClientReply['end'] {
  const { response_metadata: meta, additional_kwargs: more } = reply
  const reason = String(meta['finish_reason'] ?? meta['finishReason'] ?? meta['stop_reason'] ?? more['stop_reason'] ?? more['finishReason'])
  if (/length|max_tokens/i.test(reason)) return 'length'
  if (calls > 0) return 'tools'
  return /stop|end_turn/i.test(reason) ? 'end' : 'other'
}

function contentOf(asked: ClientQuestion): ConstructorParameters<typeof HumanMessage>[0] {
  const { media } = asked
  if (!media) return asked.question
  const text = { type: 'text', text: asked.question }
  if (media.mime !== 'application/pdf') return { content: [text, { type: 'image_url', image_url: { url: `data:${media.mime};base64,${media.data}` } }] }
  return { content: [text, { type: 'file', source_type: 'base64', mime_type: media.mime, data: media.data, metadata: { filename: media.name } }] }
}

function readErrorStatus(error: unknown): number | undefined {
  const value = (error as { status?: unknown }).status
  if (typeof value === 'number') return value
  const found = /\[(\d{3}) /.exec(error instanceof Error ? error.message : '')
  return found ? Number(found[1]) : undefined
}

const client = (id: string, label: string, { vendor, maker }: { readonly vendor: ConformanceVendor; readonly maker: ModelMaker }): ClientDriver => ({
  id: `langchain-${id}`,
  label: `LangChain · ${label}`,
  package: `@langchain/${id}`,
  vendor,
  streamsArguments: vendor !== 'google',
  ask: createAsk(maker),
  statusOf: readErrorStatus,
})

export const langchainDrivers: readonly ClientDriver[] = [
  client('openai', 'OpenAI', {
    vendor: 'openai',
    maker: {
      model: (at, asked) =>
        new ChatOpenAI({
          model: at.model,
          apiKey: at.apiKey,
          maxRetries: 0,
          configuration: { baseURL: `${at.baseUrl}/v1` },
          ...(asked.maxTokens ? { maxTokens: asked.maxTokens } : {}),
          // LangChain's own option works only with known model names.
          ...(asked.thinking ? { modelKwargs: { reasoning_effort: 'medium' } } : {}),
        }),
      options: (asked) => ({
        ...(asked.choice === 'forced' ? { tool_choice: asked.tool!.name } : asked.choice === 'none' ? { tool_choice: 'none' } : {}),
        ...(asked.schema ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: asked.schema } } } : {}),
      }),
    },
  }),
  client('anthropic', 'Anthropic', {
    vendor: 'anthropic',
    maker: {
      model: (at, asked) =>
        new ChatAnthropic({
          model: at.model,
          apiKey: at.apiKey,
          maxRetries: 0,
          anthropicApiUrl: at.baseUrl,
          maxTokens: asked.maxTokens ?? 4_000,
          ...(asked.thinking ? { thinking: { type: 'adaptive' as const } } : {}),
        }),
      options: (asked) => ({
        ...(asked.choice === 'forced' ? { tool_choice: asked.tool!.name } : asked.choice === 'none' ? { tool_choice: 'none' } : {}),
        ...(asked.schema ? { outputConfig: { format: { type: 'json_schema', schema: asked.schema } } } : {}),
        ...(asked.cache ? { cache_control: { type: 'ephemeral' } } : {}),
      }),
    },
  }),
  client('google-genai', 'Google', {
    vendor: 'google',
    maker: {
      model: (at, asked) =>
        new ChatGoogleGenerativeAI({
          model: at.model,
          apiKey: at.apiKey,
          maxRetries: 0,
          baseUrl: at.baseUrl,
          ...(asked.maxTokens ? { maxOutputTokens: asked.maxTokens } : {}),
          ...(asked.thinking ? { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } } : {}),
        }),
      options: (asked) => ({
        ...(asked.choice === 'forced' ? { tool_choice: asked.tool!.name } : asked.choice === 'none' ? { tool_choice: 'none' } : {}),
        ...(asked.schema ? { responseSchema: asked.schema } : {}),
      }),
    },
  }),
]
