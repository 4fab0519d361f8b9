import OpenAI from 'openai'
import { ClientLeftError } from '../driver.ts'
import type { ClientQuestion, ClientDriver, ClientTarget, ClientReply } from '../driver.ts'

type InputItems = OpenAI.Responses.ResponseInput

async function sendQuestion(at: ClientTarget, asked: ClientQuestion, history?: InputItems): Promise<ClientReply> {
  const client = new OpenAI({ baseURL: `${at.baseUrl}/v1`, apiKey: at.apiKey, maxRetries: 0 })
  const input: InputItems = history ?? [{ role: 'user', content: contentOf(asked) }]
  const body = {
    model: at.model,
    input,
    store: false,
    ...(asked.system ? { instructions: asked.system } : {}),
    ...(asked.tool
      ? { tools: [{ type: 'function' as const, name: asked.tool.name, description: asked.tool.description, parameters: asked.tool.schema, strict: false }] }
      : {}),
    ...(asked.choice === 'forced'
      ? { tool_choice: { type: 'function' as const, name: asked.tool!.name } }
      : asked.choice === 'none'
        ? { tool_choice: 'none' as const }
        : {}),
    ...(asked.schema ? { text: { format: { type: 'json_schema' as const, name: 'answer', strict: true, schema: asked.schema } } } : {}),
    ...(asked.thinking ? { reasoning: { effort: 'medium' as const, summary: 'auto' as const }, include: ['reasoning.encrypted_content' as const] } : {}),
    ...(asked.maxTokens ? { max_output_tokens: asked.maxTokens } : {}),
  }
  let pieces = 0
  let argPieces = 0
  let reply: OpenAI.Responses.Response | undefined
  if (asked.stream) {
    for await (const event of await client.responses.create({ ...body, stream: true })) {
      if (event.type === 'response.output_text.delta') pieces++
      if (event.type === 'response.function_call_arguments.delta') argPieces++
      if (event.type === 'response.completed' || event.type === 'response.incomplete') reply = event.response
      if (event.type === 'response.failed' || event.type === 'error') throw new OpenAI.APIError(undefined, event, 'failed in mid-stream', undefined)
      if (asked.leave && pieces > 0) throw new ClientLeftError()
    }
  } else reply = await client.responses.create(body)
  if (reply === undefined) throw new Error('the stream had no end')
  const calls = reply.output.filter((item) => item.type === 'function_call')
  const text = reply.output
    .flatMap((item) => (item.type === 'message' ? item.content.map((part) => (part.type === 'output_text' ? part.text : '')) : []))
    .join('')
  return {
    text,
    calls: calls.map((call) => ({ name: call.name, args: JSON.parse(call.arguments) as unknown })),
    end: reply.status === 'incomplete' ? 'length' : calls.length > 0 ? 'tools' : reply.status === 'completed' ? 'end' : 'other',
    usage: { input: reply.usage!.input_tokens, output: reply.usage!.output_tokens, cached: reply.usage!.input_tokens_details.cached_tokens },
    thought: reply.output.some((item) => item.type === 'reasoning'),
    pieces,
    argPieces,
    answer: (result) =>
      sendQuestion(at, asked, [
        ...input,
        ...(reply.output as InputItems),
        ...calls.map((call) => ({ type: 'function_call_output' as const, call_id: call.call_id, output: result })),
      ]),
  }
}

function contentOf(asked: ClientQuestion): string | OpenAI.Responses.ResponseInputContent[] {
  const { media } = asked
  if (!media) return asked.question
  const url = `data:${media.mime};base64,${media.data}`
  return [
    { type: 'input_text', text: asked.question },
    media.mime === 'application/pdf' ? { type: 'input_file', filename: media.name, file_data: url } : { type: 'input_image', image_url: url, detail: 'auto' },
  ]
}

export const openaiResponsesDriver: ClientDriver = {
  id: 'openai-responses',
  label: 'OpenAI SDK · Responses',
  package: 'openai',
  vendor: 'openai',
  streamsArguments: true,
  ask: sendQuestion,
  statusOf: (error) => (error instanceof OpenAI.APIError ? error.status : undefined),
}
