import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import { readSdkSchemas } from '../oracles/sdk-schemas.ts'

/**
 * Google's interface by the types of its SDK. They describe the SDK's own parameters, so requests are put together from their parts as the REST
 * reference lists them. https://ai.google.dev/api/generate-content
 */
export async function createGoogleOracle(): Promise<Oracle> {
  const parts = `contents: Google.Content[]; systemInstruction?: Google.Content; tools?: Google.Tool[]; toolConfig?: Google.ToolConfig;
    safetySettings?: Google.SafetySetting[]; generationConfig?: Google.GenerationConfig; cachedContent?: string; labels?: Record<string, string>; serviceTier?: string; store?: boolean`
  const embed = 'model?: string; content: Google.Content; taskType?: string; title?: string; outputDimensionality?: number'
  const model = `{ name: string; baseModelId?: string; version?: string; displayName?: string; description?: string; inputTokenLimit?: number; outputTokenLimit?: number;
        supportedGenerationMethods?: string[]; thinking?: boolean; temperature?: number; maxTemperature?: number; topP?: number; topK?: number }`
  const schemas = await readSdkSchemas({
    package: '@google/genai',
    modules: { Google: '@google/genai' },
    types: {
      GenerateRequest: `{ ${parts} }`,
      GenerateAnswer: "Omit<Google.GenerateContentResponse, 'text' | 'data' | 'functionCalls' | 'executableCode' | 'codeExecutionResult' | 'sdkHttpResponse'>",
      // A stream without `alt=sse` is one list.
      GenerateAnswers: 'XGenerateAnswer[]',
      // A failure in the middle of a stream is an event with the error alone.
      GenerateEvent: 'XGenerateAnswer | XError',
      CountRequest: `{ contents?: Google.Content[]; generateContentRequest?: { model: string; ${parts} } }`,
      CountAnswer:
        '{ totalTokens: number; cachedContentTokenCount?: number; promptTokensDetails?: Google.ModalityTokenCount[]; cacheTokensDetails?: Google.ModalityTokenCount[] }',
      EmbedRequest: `{ ${embed} }`,
      EmbedAnswer: '{ embedding: { values: number[] }; usageMetadata?: Google.UsageMetadata }',
      BatchEmbedRequest: `{ requests: { ${embed} }[] }`,
      BatchEmbedAnswer: '{ embeddings: { values: number[] }[]; usageMetadata?: Google.UsageMetadata }',
      Model: model,
      Models: `{ models: (${model})[]; nextPageToken?: string }`,
      Error: '{ error: { code: number; message: string; status: string; details?: Record<string, unknown>[] } }',
    },
  })
  const generate = { request: 'GenerateRequest', reply: 'GenerateAnswer', event: 'GenerateEvent' }
  return createOracle({
    vendor: 'google',
    schemas,
    endpoints: {
      'POST /{version}/models/{model}:generateContent': generate,
      'POST /{version}/models/{model}:streamGenerateContent': { ...generate, reply: 'GenerateAnswers' },
      'POST /{version}/models/{model}:countTokens': { request: 'CountRequest', reply: 'CountAnswer' },
      'POST /{version}/models/{model}:embedContent': { request: 'EmbedRequest', reply: 'EmbedAnswer' },
      'POST /{version}/models/{model}:batchEmbedContents': { request: 'BatchEmbedRequest', reply: 'BatchEmbedAnswer' },
      'POST /{version}/tunedModels/{model}:countTokens': { request: 'CountRequest', reply: 'CountAnswer' },
      'GET /{version}/models': { reply: 'Models' },
      'GET /{version}/models/{model}': { reply: 'Model' },
    },
    error: 'Error',
    differences: [
      {
        what: /request \S* must NOT have additional properties: [a-z]+(_[a-z]+)+$/,
        reason: 'Names in snake case are accepted: https://protobuf.dev/programming-guides/json/#field-representation',
      },
      {
        what: /request \S*\/type must be equal to one of the allowed values: TYPE_UNSPECIFIED/,
        reason: 'Types in lower case are accepted and shown in the examples: https://ai.google.dev/gemini-api/docs/function-calling',
      },
    ],
  })
}
