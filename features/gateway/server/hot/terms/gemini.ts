import { free, paths, priced, refused, tokens } from './terms.ts'
import type { TermsTable } from './terms.ts'

/** Terms of generateContent, embedContent and Live. https://ai.google.dev/gemini-api/docs/pricing */

const VERTEX = 'is a feature of Google Cloud that is not sold here. Leave it out.'

export const GENERATE_FIELDS: TermsTable = {
  ...free('safetySettings toolConfig labels store'),
  ...tokens('contents systemInstruction generationConfig cachedContent'),
  ...priced('serviceTier', 'GEMINI_TIERS, by the answer'),
  ...priced('tools', 'GEMINI_TOOLS, by the grounding that the answer shows'),
  ...tokens('continuationToken'),
  ...refused('modelArmorConfig generationOutputConfig', VERTEX),
}

export const GENERATION_CONFIG: TermsTable = {
  ...free(
    `temperature topP topK seed stopSequences frequencyPenalty presencePenalty logprobs responseLogprobs responseMimeType responseSchema responseJsonSchema
     responseFormat audioTimestamp audioTranscriptionConfig enableAffectiveDialog enableEnhancedCivicAnswers translationConfig speechConfig`,
  ),
  ...tokens('candidateCount maxOutputTokens mediaResolution responseModalities thinkingConfig'),
  ...refused('modelSelectionConfig routingConfig', VERTEX),
}

export const GEMINI_TIERS: TermsTable = { ...free('unspecified standard'), ...priced('flex priority', 'a factor of the model') }
/** How Google Cloud names the same. */
export const TRAFFIC: TermsTable = {
  ...free('traffic_type_unspecified on_demand'),
  ...priced('on_demand_priority on_demand_flex', 'as GEMINI_TIERS'),
  ...refused('on_demand_offpeak provisioned_throughput', VERTEX),
}

export const GEMINI_TOOLS: TermsTable = {
  ...free('functionDeclarations computerUse'),
  ...tokens('codeExecution urlContext mcpServers'),
  ...priced('googleSearch googleSearchRetrieval', 'webSearches or groundedPrompts'),
  ...priced('googleMaps', 'mapPrompts'),
  ...refused('fileSearch', 'searches files that are kept in the vendor account that all customers share. Send the files in the request.'),
  ...refused('retrieval enterpriseWebSearch exaAiSearch parallelAiSearch', VERTEX),
}

export const MODALITIES: TermsTable = tokens('MODALITY_UNSPECIFIED TEXT IMAGE VIDEO AUDIO DOCUMENT')

export const GEMINI_USAGE = paths(`
  promptTokenCount candidatesTokenCount responseTokenCount thoughtsTokenCount toolUsePromptTokenCount totalTokenCount cachedContentTokenCount
  initialPromptTokenCount promptTokensDetails[].tokenCount candidatesTokensDetails[].tokenCount responseTokensDetails[].tokenCount
  cacheTokensDetails[].tokenCount toolUsePromptTokensDetails[].tokenCount`)

export const EMBED_FIELDS: TermsTable = {
  ...free('taskType title outputDimensionality mimeType autoTruncate documentOcr audioTrackExtraction embedContentConfig'),
  ...tokens('content contents'),
}
