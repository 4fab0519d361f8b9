import { ApiError, FunctionCallingConfigMode, GoogleGenAI } from '@google/genai'
import type { Content, GenerateContentConfig, GenerateContentResponse, Part } from '@google/genai'
import { ClientLeftError } from '../driver.ts'
import type { ClientQuestion, ClientDriver, ClientTarget, ClientReply } from '../driver.ts'

async function sendQuestion(at: ClientTarget, asked: ClientQuestion, history?: readonly Content[]): Promise<ClientReply> {
  const client = new GoogleGenAI({ apiKey: at.apiKey, httpOptions: { baseUrl: at.baseUrl } })
  const contents: Content[] = history ? [...history] : [{ role: 'user', parts: partsOf(asked) }]
  const gone = new AbortController()
  const request = { model: at.model, contents, config: { ...configOf(asked), abortSignal: gone.signal } }
  let pieces = 0
  const chunks: GenerateContentResponse[] = []
  if (asked.stream) {
    for await (const chunk of await client.models.generateContentStream(request)) {
      chunks.push(chunk)
      if (chunk.candidates?.[0]?.content?.parts?.some((part) => part.text && !part.thought)) pieces++
      if (asked.leave && pieces > 0) {
        gone.abort()
        throw new ClientLeftError()
      }
    }
  } else chunks.push(await client.models.generateContent(request))
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
  const calls = parts.flatMap((part) => (part.functionCall ? [part.functionCall] : []))
  const last = chunks.at(-1)!
  const reason = String(last.candidates?.[0]?.finishReason)
  const usage = last.usageMetadata!
  return {
    text: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
    calls: calls.map((call) => ({ name: call.name!, args: call.args })),
    end: reason === 'MAX_TOKENS' ? 'length' : calls.length > 0 ? 'tools' : reason === 'STOP' ? 'end' : 'other',
    usage: {
      input: usage.promptTokenCount ?? 0,
      output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      cached: usage.cachedContentTokenCount ?? 0,
    },
    thought: (usage.thoughtsTokenCount ?? 0) > 0,
    pieces,
    argPieces: 0,
    answer: (result) => {
      const results = calls.map((call): Part => ({ functionResponse: { ...(call.id ? { id: call.id } : {}), name: call.name!, response: { output: result } } }))
      return sendQuestion(at, asked, [...contents, { role: 'model', parts }, { role: 'user', parts: results }])
    },
  }
}

function configOf(asked: ClientQuestion): GenerateContentConfig {
  const mode = asked.choice === 'forced' ? FunctionCallingConfigMode.ANY : FunctionCallingConfigMode.NONE
  return {
    ...(asked.system ? { systemInstruction: asked.system } : {}),
    ...(asked.tool
      ? { tools: [{ functionDeclarations: [{ name: asked.tool.name, description: asked.tool.description, parametersJsonSchema: asked.tool.schema }] }] }
      : {}),
    ...(asked.choice
      ? { toolConfig: { functionCallingConfig: { mode, ...(asked.choice === 'forced' ? { allowedFunctionNames: [asked.tool!.name] } : {}) } } }
      : {}),
    ...(asked.schema ? { responseMimeType: 'application/json', responseJsonSchema: asked.schema } : {}),
    ...(asked.thinking ? { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } } : {}),
    ...(asked.maxTokens ? { maxOutputTokens: asked.maxTokens } : {}),
  }
}

function partsOf(asked: ClientQuestion): Part[] {
  return [{ text: asked.question }, ...(asked.media ? [{ inlineData: { mimeType: asked.media.mime, data: asked.media.data } }] : [])]
}

export const googleDriver: ClientDriver = {
  id: 'google',
  label: 'Google GenAI SDK',
  package: '@google/genai',
  vendor: 'google',
  streamsArguments: false,
  ask: sendQuestion,
  statusOf: (error) => (error instanceof ApiError ? error.status : undefined),
}
