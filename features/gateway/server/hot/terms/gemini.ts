import { markFree, parsePaths, markPriced, markRefused, markTokens } from './terms.ts'
import type { TermsTable } from './terms.ts'

/** Terms of generateContent, embedContent and Live. https://ai.google.dev/gemini-api/docs/pricing */

const VERTEX = 'is a feature of Google Cloud that is not sold here. Leave it out.'

export const GENERATE_FIELDS: TermsTable = {
  ...markFree('safetySettings toolConfig labels store'),
  ...markTokens('contents systemInstruction generationConfig cachedContent'),
  ...markPriced('serviceTier', 'GEMINI_TIERS, by the answer'),
  ...markPriced('tools', 'GEMINI_TOOLS, by the grounding that the answer shows'),
  ...markTokens('continuationToken'),
  ...markRefused('modelArmorConfig generationOutputConfig', VERTEX),
}

export const GENERATION_CONFIG: TermsTable = {
  ...markFree(
    `temperature topP topK seed stopSequences frequencyPenalty presencePenalty logprobs responseLogprobs responseMimeType responseSchema responseJsonSchema
     responseFormat audioTimestamp audioTranscriptionConfig enableAffectiveDialog enableEnhancedCivicAnswers translationConfig speechConfig`,
  ),
  ...markTokens('candidateCount maxOutputTokens mediaResolution responseModalities thinkingConfig'),
  ...markRefused('modelSelectionConfig routingConfig', VERTEX),
}

export const GEMINI_TIERS: TermsTable = { ...markFree('unspecified standard'), ...markPriced('flex priority', 'a factor of the model') }
/** Google Cloud's names for the same. */
export const TRAFFIC_TYPES: TermsTable = {
  ...markFree('traffic_type_unspecified on_demand'),
  ...markPriced('on_demand_priority on_demand_flex', 'as GEMINI_TIERS'),
  ...markRefused('on_demand_offpeak provisioned_throughput', VERTEX),
}

export const GEMINI_TOOLS: TermsTable = {
  ...markFree('functionDeclarations computerUse'),
  ...markTokens('codeExecution urlContext mcpServers'),
  ...markPriced('googleSearch googleSearchRetrieval', 'webSearches or groundedPrompts'),
  ...markPriced('googleMaps', 'mapPrompts'),
  ...markRefused('fileSearch', 'searches files that are kept in the vendor account that all customers share. Send the files in the request.'),
  ...markRefused('retrieval enterpriseWebSearch exaAiSearch parallelAiSearch', VERTEX),
}

export const MODALITIES: TermsTable = markTokens('MODALITY_UNSPECIFIED TEXT IMAGE VIDEO AUDIO DOCUMENT')

export const GEMINI_USAGE = parsePaths(`
  promptTokenCount candidatesTokenCount responseTokenCount thoughtsTokenCount toolUsePromptTokenCount totalTokenCount cachedContentTokenCount
  initialPromptTokenCount promptTokensDetails[].tokenCount candidatesTokensDetails[].tokenCount responseTokensDetails[].tokenCount
  cacheTokensDetails[].tokenCount toolUsePromptTokensDetails[].tokenCount`)

export const EMBED_FIELDS: TermsTable = {
  ...markFree('taskType title outputDimensionality mimeType autoTruncate documentOcr audioTrackExtraction embedContentConfig'),
  ...markTokens('content contents'),
}
