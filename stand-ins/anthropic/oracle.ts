import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import type { Difference } from '../oracles/create-oracle.ts'
import { readSdkSchemas } from '../oracles/sdk-schemas.ts'

/** Anthropic's interface by the types of its SDK: Messages with and without betas. https://docs.claude.com/en/api/messages `more`: differences of a server that adds to the interface. */
export async function createAnthropicOracle(more: readonly Difference[] = []): Promise<Oracle> {
  const schemas = await readSdkSchemas({
    package: '@anthropic-ai/sdk',
    modules: {
      Messages: '@anthropic-ai/sdk/resources/messages/messages',
      BetaMessages: '@anthropic-ai/sdk/resources/beta/messages/messages',
      Models: '@anthropic-ai/sdk/resources/models',
      Shared: '@anthropic-ai/sdk/resources/shared',
    },
    types: {
      Request: 'Messages.MessageCreateParams',
      BetaRequest: "Omit<BetaMessages.MessageCreateParams, 'betas'>",
      Message: 'Messages.Message',
      // https://docs.claude.com/en/api/messages-streaming: pings and errors are events too.
      Event: "Messages.RawMessageStreamEvent | { type: 'ping' } | (Omit<Shared.ErrorResponse, 'request_id'> & { request_id?: string | null })",
      CountRequest: 'Messages.MessageCountTokensParams',
      Count: 'Messages.MessageTokensCount',
      Model: 'Models.ModelInfo',
      Models: '{ data: Models.ModelInfo[]; has_more: boolean; first_id: string | null; last_id: string | null }',
      Error: 'Shared.ErrorResponse',
    },
  })
  return createOracle({
    vendor: 'anthropic',
    schemas,
    endpoints: {
      'POST /v1/messages': { request: 'Request', reply: 'Message', event: 'Event' },
      'POST /v1/messages/count_tokens': { request: 'CountRequest', reply: 'Count' },
      'GET /v1/models': { reply: 'Models' },
      'GET /v1/models/{model}': { reply: 'Model' },
    },
    error: 'Error',
    differences: [
      ...more,
      {
        what: /^POST \/v1\/messages request \/ must NOT have additional properties: (temperature|top_p|top_k)$/,
        reason: 'Gone from the type; models before Claude Opus 4.7 take it: https://docs.claude.com/en/docs/about-claude/models/migrating-to-claude-4',
      },
      {
        what: /must have required property 'citations'$/,
        reason: 'Required by the type; the answers in the documentation omit it: https://docs.claude.com/en/api/messages-examples',
      },
    ],
    refuse: [
      {
        what: 'a text block with `citations: null`: Anthropic omits it, and AI SDK 5 and 6 refuse it',
        reply: /"type":"text"[^{}]*"citations":null/,
      },
    ],
  })
}
