import Anthropic from '@anthropic-ai/sdk'
import { ClientLeftError } from '../driver.ts'
import type { ClientQuestion, ClientDriver, ClientTarget, ClientReply } from '../driver.ts'

const ENDS = { end_turn: 'end', max_tokens: 'length', tool_use: 'tools' } as Readonly<Record<string, ClientReply['end']>>

async function sendQuestion(at: ClientTarget, asked: ClientQuestion, history?: readonly Anthropic.MessageParam[]): Promise<ClientReply> {
  const client = new Anthropic({ baseURL: at.baseUrl, apiKey: at.apiKey, maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = history ? [...history] : [{ role: 'user', content: contentOf(asked) }]
  const body: Anthropic.MessageCreateParamsNonStreaming = {
    model: at.model,
    max_tokens: asked.maxTokens ?? 4_000,
    messages,
    ...(asked.system ? { system: asked.system } : {}),
    ...(asked.tool
      ? { tools: [{ name: asked.tool.name, description: asked.tool.description, input_schema: asked.tool.schema as Anthropic.Tool.InputSchema }] }
      : {}),
    ...(asked.choice === 'forced'
      ? { tool_choice: { type: 'tool', name: asked.tool!.name } }
      : asked.choice === 'none'
        ? { tool_choice: { type: 'none' } }
        : {}),
    ...(asked.schema ? { output_config: { format: { type: 'json_schema', schema: asked.schema } } } : {}),
    ...(asked.thinking ? { thinking: { type: 'adaptive' } } : {}),
    ...(asked.cache ? { cache_control: { type: 'ephemeral' } } : {}),
  }
  let pieces = 0
  let argPieces = 0
  let reply: Anthropic.Message
  if (asked.stream) {
    const stream = client.messages.stream(body)
    stream.on('streamEvent', (event) => {
      if (event.type !== 'content_block_delta') return
      if (event.delta.type === 'text_delta') pieces++
      if (event.delta.type === 'input_json_delta' && event.delta.partial_json !== '') argPieces++
      if (asked.leave && pieces > 0) stream.abort()
    })
    reply = await stream.finalMessage().catch((error: unknown) => {
      throw error instanceof Anthropic.APIUserAbortError ? new ClientLeftError() : error
    })
  } else reply = await client.messages.create(body)
  const calls = reply.content.filter((block) => block.type === 'tool_use')
  const cached = reply.usage.cache_read_input_tokens ?? 0
  return {
    text: reply.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: calls.map((call) => ({ name: call.name, args: call.input })),
    end: ENDS[reply.stop_reason ?? ''] ?? 'other',
    usage: { input: reply.usage.input_tokens + cached + (reply.usage.cache_creation_input_tokens ?? 0), output: reply.usage.output_tokens, cached },
    thought: reply.content.some((block) => block.type === 'thinking'),
    pieces,
    argPieces,
    answer: (result) => {
      const results = calls.map((call) => ({ type: 'tool_result' as const, tool_use_id: call.id, content: result }))
      return sendQuestion(at, asked, [
        ...messages,
        { role: 'assistant', content: reply.content as Anthropic.ContentBlockParam[] },
        { role: 'user', content: results },
      ])
    },
  }
}

function contentOf(asked: ClientQuestion): string | Anthropic.ContentBlockParam[] {
  const { media } = asked
  if (!media) return asked.question
  const block: Anthropic.ContentBlockParam =
    media.mime === 'application/pdf'
      ? { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: media.data }, title: media.name }
      : { type: 'image', source: { type: 'base64', media_type: 'image/png', data: media.data } }
  return [{ type: 'text', text: asked.question }, block]
}

export const anthropicDriver: ClientDriver = {
  id: 'anthropic',
  label: 'Anthropic SDK',
  package: '@anthropic-ai/sdk',
  vendor: 'anthropic',
  streamsArguments: true,
  ask: sendQuestion,
  statusOf: (error) => (error instanceof Anthropic.APIError ? error.status : undefined),
}
