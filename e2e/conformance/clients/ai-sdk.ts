import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, Output, generateText, jsonSchema, streamText, tool } from 'ai'
import type { LanguageModel, ModelMessage } from 'ai'
import { ClientLeftError } from '../driver.ts'
import type { ClientQuestion, ClientDriver, ClientTarget, ClientReply, ConformanceVendor } from '../driver.ts'

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>
const ENDS = { 'stop': 'end', 'length': 'length', 'tool-calls': 'tools' } as Readonly<Record<string, ClientReply['end']>>

interface Provider {
  readonly model: (at: ClientTarget) => LanguageModel
  readonly thinking: ProviderOptions
  readonly cache?: ProviderOptions
  /** Sent with every request. */
  readonly always?: ProviderOptions
}

function createAsk(provider: Provider): ClientDriver['ask'] {
  return async function ask(at: ClientTarget, asked: ClientQuestion, history?: readonly ModelMessage[]): Promise<ClientReply> {
    const messages: ModelMessage[] = history ? [...history] : [{ role: 'user', content: contentOf(asked) }]
    const gone = new AbortController()
    const request = {
      model: provider.model(at),
      messages,
      maxRetries: 0,
      abortSignal: gone.signal,
      ...(asked.system ? { system: asked.system } : {}),
      ...(asked.tool ? { tools: { [asked.tool.name]: tool({ description: asked.tool.description, inputSchema: jsonSchema(asked.tool.schema) }) } } : {}),
      ...(asked.choice === 'forced'
        ? { toolChoice: { type: 'tool' as const, toolName: asked.tool!.name } }
        : asked.choice === 'none'
          ? { toolChoice: 'none' as const }
          : {}),
      ...(asked.schema ? { output: Output.object({ schema: jsonSchema(asked.schema) }) } : {}),
      providerOptions: asked.thinking ? provider.thinking : asked.cache ? (provider.cache ?? provider.always ?? {}) : (provider.always ?? {}),
      ...(asked.maxTokens ? { maxOutputTokens: asked.maxTokens } : {}),
    }
    let pieces = 0
    let argPieces = 0
    const reply = asked.stream ? await streamed() : await generateText(request)
    async function streamed() {
      const stream = streamText({ ...request, onError: () => undefined })
      for await (const part of stream.fullStream) {
        if (part.type === 'text-delta') pieces++
        if (part.type === 'tool-input-delta') argPieces++
        if (part.type === 'error') throw part.error
        if (asked.leave && pieces > 0) {
          gone.abort()
          throw new ClientLeftError()
        }
      }
      const [text, toolCalls, finishReason, usage, reasoningText, response] = await Promise.all([
        stream.text,
        stream.toolCalls,
        stream.finishReason,
        stream.usage,
        stream.reasoningText,
        stream.response,
      ])
      return { text, toolCalls, finishReason, usage, reasoningText, response }
    }
    const { usage } = reply
    return {
      text: reply.text,
      calls: reply.toolCalls.map((call) => ({ name: call.toolName, args: call.input as unknown })),
      end: ENDS[reply.finishReason] ?? 'other',
      usage: { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0, cached: usage.inputTokenDetails.cacheReadTokens ?? 0 },
      thought: (usage.outputTokenDetails.reasoningTokens ?? 0) > 0 || Boolean(reply.reasoningText),
      pieces,
      argPieces,
      answer: (result) => {
        const results = reply.toolCalls.map((call) => ({
          type: 'tool-result' as const,
          toolCallId: call.toolCallId,
          toolName: call.toolName,
          output: { type: 'text' as const, value: result },
        }))
        return ask(at, asked, [...messages, ...reply.response.messages, { role: 'tool', content: results }])
      },
    }
  }
}

function contentOf(asked: ClientQuestion): Extract<ModelMessage, { role: 'user' }>['content'] {
  const { media } = asked
  if (!media) return asked.question
  return [
    { type: 'text', text: asked.question },
    { type: 'file', mediaType: media.mime, data: media.data, filename: media.name },
  ]
}

const client = (
  id: string,
  label: string,
  { name, vendor, provider }: { readonly name: string; readonly vendor: ConformanceVendor; readonly provider: Provider },
): ClientDriver => ({
  id: `ai-${id}`,
  label: `AI SDK · ${label}`,
  package: name,
  vendor,
  streamsArguments: vendor !== 'google',
  ask: createAsk(provider),
  statusOf: (error) => (APICallError.isInstance(error) ? error.statusCode : undefined),
})

const openai = (at: ClientTarget) => createOpenAI({ baseURL: `${at.baseUrl}/v1`, apiKey: at.apiKey })
/**
 * Without `store: false` the client refers to items that are stored at OpenAI; without `forceReasoning` it sends reasoning efforts only to
 * known model names.
 */
const UNSTORED_OPTIONS: ProviderOptions = { openai: { store: false } }
const THINKING_OPTIONS: ProviderOptions = {
  openai: { reasoningEffort: 'medium', reasoningSummary: 'auto', forceReasoning: true, store: false, include: ['reasoning.encrypted_content'] },
}

export const aiSdkDrivers: readonly ClientDriver[] = [
  client('openai', 'OpenAI', {
    name: '@ai-sdk/openai',
    vendor: 'openai',
    provider: { model: (at) => openai(at)(at.model), thinking: THINKING_OPTIONS, always: UNSTORED_OPTIONS },
  }),
  client('anthropic', 'Anthropic', {
    name: '@ai-sdk/anthropic',
    vendor: 'anthropic',
    provider: {
      model: (at) => createAnthropic({ baseURL: `${at.baseUrl}/v1`, apiKey: at.apiKey })(at.model),
      thinking: { anthropic: { thinking: { type: 'adaptive' } } },
      cache: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    },
  }),
  client('google', 'Google', {
    name: '@ai-sdk/google',
    vendor: 'google',
    provider: {
      model: (at) => createGoogleGenerativeAI({ baseURL: `${at.baseUrl}/v1beta`, apiKey: at.apiKey })(at.model),
      thinking: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } } },
    },
  }),
]
