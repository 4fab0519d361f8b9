import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import type { Difference } from '../oracles/create-oracle.ts'
import { readSdkSchemas } from '../oracles/sdk-schemas.ts'

/** OpenAI's interface by the types of its SDK. https://platform.openai.com/docs/api-reference `more`: differences of a server that adds to the interface. */
export async function createOpenAiOracle(more: readonly Difference[] = []): Promise<Oracle> {
  const schemas = await readSdkSchemas({
    package: 'openai',
    modules: {
      Chat: 'openai/resources/chat/completions/completions',
      Completions: 'openai/resources/completions',
      Responses: 'openai/resources/responses/responses',
      InputTokens: 'openai/resources/responses/input-tokens',
      Embeddings: 'openai/resources/embeddings',
      Images: 'openai/resources/images',
      Moderations: 'openai/resources/moderations',
      Speech: 'openai/resources/audio/speech',
      Transcriptions: 'openai/resources/audio/transcriptions',
      Models: 'openai/resources/models',
    },
    types: {
      ChatRequest: 'Chat.ChatCompletionCreateParams',
      ChatAnswer: 'Chat.ChatCompletion',
      ChatChunk: 'Chat.ChatCompletionChunk',
      CompletionRequest: 'Completions.CompletionCreateParams',
      CompletionAnswer: 'Completions.Completion',
      ResponseRequest: 'Responses.ResponseCreateParams',
      // `output_text` is a convenience of the SDK and not on the wire.
      ResponseAnswer: "Omit<Responses.Response, 'output_text'>",
      ResponseEvent: 'Responses.ResponseStreamEvent',
      InputTokensRequest: 'InputTokens.InputTokenCountParams',
      InputTokensAnswer: 'InputTokens.InputTokenCountResponse',
      EmbeddingRequest: 'Embeddings.EmbeddingCreateParams',
      EmbeddingAnswer: 'Embeddings.CreateEmbeddingResponse',
      ImageRequest: 'Images.ImageGenerateParams',
      ImageAnswer: 'Images.ImagesResponse',
      ModerationRequest: 'Moderations.ModerationCreateParams',
      ModerationAnswer: 'Moderations.ModerationCreateResponse',
      SpeechRequest: 'Speech.SpeechCreateParams',
      TranscriptionAnswer: 'Transcriptions.Transcription | Transcriptions.TranscriptionVerbose',
      Model: 'Models.Model',
      Models: "{ object: 'list'; data: Models.Model[] }",
      Error: '{ error: { message: string; type: string; param: string | null; code: string | null } }',
    },
  })
  return createOracle({
    vendor: 'openai',
    schemas,
    endpoints: {
      'POST /v1/chat/completions': { request: 'ChatRequest', reply: 'ChatAnswer', event: 'ChatChunk' },
      'POST /v1/completions': { request: 'CompletionRequest', reply: 'CompletionAnswer', event: 'CompletionAnswer' },
      'POST /v1/responses/input_tokens': { request: 'InputTokensRequest', reply: 'InputTokensAnswer' },
      'POST /v1/responses': { request: 'ResponseRequest', reply: 'ResponseAnswer', event: 'ResponseEvent' },
      'GET /v1/responses/{response}': { reply: 'ResponseAnswer' },
      'DELETE /v1/responses/{response}': {},
      'POST /v1/embeddings': { request: 'EmbeddingRequest', reply: 'EmbeddingAnswer' },
      'POST /v1/images/generations': { request: 'ImageRequest', reply: 'ImageAnswer' },
      'POST /v1/images/edits': { reply: 'ImageAnswer' },
      'POST /v1/moderations': { request: 'ModerationRequest', reply: 'ModerationAnswer' },
      'POST /v1/audio/speech': { request: 'SpeechRequest' },
      'POST /v1/audio/transcriptions': {},
      'POST /v1/audio/translations': {},
      'GET /v1/models': { reply: 'Models' },
      'GET /v1/models/{model}': { reply: 'Model' },
    },
    error: 'Error',
    differences: [
      ...more,
      {
        what: /^POST \/v1\/chat\/completions request \/messages\/\d+ must NOT have additional properties: annotations$/,
        reason: 'In the answer, and ignored when it is sent back as history.',
      },
      {
        what: /^POST \/v1\/embeddings reply \/data\/\d+\/embedding must be array$/,
        reason: 'Base64 text if the request says so; the SDK decodes it: https://platform.openai.com/docs/api-reference/embeddings/create',
      },
      {
        what: /\/tools\/\d+ must have required property 'strict'$/,
        reason: 'Required by the type, optional in the API: https://platform.openai.com/docs/guides/function-calling',
      },
      {
        what: /^(POST|GET) \/v1\/responses\S* (reply \/|event \/response) must NOT have additional properties: store$/,
        reason: 'Echoed by the API, absent from the type: https://platform.openai.com/docs/api-reference/responses/create',
      },
      {
        what: /^(POST|GET) \/v1\/responses\S* (reply \/|event \/response\/)user must be string$/,
        reason: 'null in every answer of the reference: https://platform.openai.com/docs/api-reference/responses/object',
      },
      {
        what: /^POST \/v1\/responses event \/response\/usage must be object$/,
        reason: 'null until the response is complete: https://platform.openai.com/docs/api-reference/responses-streaming/response/created',
      },
      {
        what: /^POST \/v1\/responses event \/response must have required property 'output_text'$/,
        reason: 'A convenience of the SDK, not on the wire.',
      },
      {
        what: /^POST \/v1\/responses event \/ must NOT have additional properties: name$/,
        reason: 'Required in the OpenAPI document (ResponseFunctionCallArgumentsDoneEvent), absent from the type.',
      },
      {
        what: /^POST \/v1\/completions event (\/choices\/\d+\/finish_reason must be|\/usage must be object$)/,
        reason: 'null until the last chunk: https://platform.openai.com/docs/api-reference/completions/create',
      },
    ],
  })
}
