import OpenAI from 'openai'
import { ClientLeftError } from '../driver.ts'
import type { ClientQuestion, ClientDriver, ClientTarget, ClientReply } from '../driver.ts'

type Message = OpenAI.ChatCompletionMessageParam
const ENDS = { stop: 'end', length: 'length', tool_calls: 'tools' } as Readonly<Record<string, ClientReply['end']>>

async function sendQuestion(at: ClientTarget, asked: ClientQuestion, history?: readonly Message[]): Promise<ClientReply> {
  const client = new OpenAI({ baseURL: `${at.baseUrl}/v1`, apiKey: at.apiKey, maxRetries: 0 })
  const messages: Message[] = history
    ? [...history]
    : [...(asked.system ? [{ role: 'system' as const, content: asked.system }] : []), { role: 'user', content: contentOf(asked) }]
  const body = {
    model: at.model,
    messages,
    ...(asked.tool
      ? { tools: [{ type: 'function' as const, function: { name: asked.tool.name, description: asked.tool.description, parameters: asked.tool.schema } }] }
      : {}),
    ...(asked.choice === 'forced'
      ? { tool_choice: { type: 'function' as const, function: { name: asked.tool!.name } } }
      : asked.choice === 'none'
        ? { tool_choice: 'none' as const }
        : {}),
    ...(asked.schema ? { response_format: { type: 'json_schema' as const, json_schema: { name: 'answer', strict: true, schema: asked.schema } } } : {}),
    ...(asked.thinking ? { reasoning_effort: 'medium' as const } : {}),
    ...(asked.maxTokens ? { max_completion_tokens: asked.maxTokens } : {}),
  }
  let pieces = 0
  let argPieces = 0
  let reply: OpenAI.ChatCompletion
  if (asked.stream) {
    const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } })
    stream.on('chunk', (chunk) => {
      const delta = chunk.choices[0]?.delta
      if (delta?.content) pieces++
      if (delta?.tool_calls?.[0]?.function?.arguments) argPieces++
      if (asked.leave && pieces > 0) stream.abort()
    })
    reply = await stream.finalChatCompletion().catch((error: unknown) => {
      throw error instanceof OpenAI.APIUserAbortError ? new ClientLeftError() : error
    })
  } else reply = await client.chat.completions.create(body)
  const choice = reply.choices[0]!
  const calls = (choice.message.tool_calls ?? []) as OpenAI.ChatCompletionMessageFunctionToolCall[]
  return {
    text: choice.message.content ?? '',
    calls: calls.map((call) => ({ name: call.function.name, args: JSON.parse(call.function.arguments) as unknown })),
    end: ENDS[choice.finish_reason] ?? 'other',
    usage: {
      input: reply.usage!.prompt_tokens,
      output: reply.usage!.completion_tokens,
      cached: reply.usage!.prompt_tokens_details?.cached_tokens ?? 0,
    },
    thought: (reply.usage!.completion_tokens_details?.reasoning_tokens ?? 0) > 0,
    pieces,
    argPieces,
    answer: (result) =>
      sendQuestion(at, asked, [...messages, choice.message, ...calls.map((call) => ({ role: 'tool' as const, tool_call_id: call.id, content: result }))]),
  }
}

function contentOf(asked: ClientQuestion): string | OpenAI.ChatCompletionContentPart[] {
  const { media } = asked
  if (!media) return asked.question
  const url = `data:${media.mime};base64,${media.data}`
  const part: OpenAI.ChatCompletionContentPart =
    media.mime === 'application/pdf' ? { type: 'file', file: { filename: media.name, file_data: url } } : { type: 'image_url', image_url: { url } }
  return [{ type: 'text', text: asked.question }, part]
}

export const openaiChatDriver: ClientDriver = {
  id: 'openai-chat',
  label: 'OpenAI SDK · Chat',
  package: 'openai',
  vendor: 'openai',
  streamsArguments: true,
  ask: sendQuestion,
  statusOf: (error) => (error instanceof OpenAI.APIError ? error.status : undefined),
}
