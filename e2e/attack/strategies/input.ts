import {
  CHAT_PATH,
  SMALL_BALANCE_NANO,
  MESSAGES_PATH,
  RESPONSES_PATH,
  pickInTurn,
  toGeminiPath,
  buildRareText,
  repeatRequest,
  buildGeminiBody,
  buildUserMessages,
} from './strategy.ts'
import type { Strategy } from './strategy.ts'

/** A valid PDF whose pages share one content stream and take forty bytes each. */
function pdf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, n) => `${n + 4} 0 R`).join(' ')
  const objects = Array.from({ length: pages }, (_, n) => `${n + 4} 0 obj<</Type/Page/Parent 2 0 R/Contents 3 0 R>>endobj\n`).join('')
  const text = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count ${pages}/Kids[${kids}]>>endobj\n3 0 obj<</Length 0>>stream\n\nendstream endobj\n${objects}trailer<</Root 1 0 R>>`
  return Buffer.from(text).toString('base64')
}
/** A PNG that declares one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const IMAGE_URL = `data:image/png;base64,${PNG}`

/** Input whose cost cannot be estimated from the bytes of the request. */
export const INPUT_STRATEGIES: readonly Strategy[] = [
  {
    name: 'file-url',
    tries: 'forty calls at once, each with a document behind a URL that fills the window',
    run: repeatRequest(40, RESPONSES_PATH, {
      body: () => ({
        model: 'gpt-6-luna',
        max_output_tokens: 16,
        input: buildUserMessages([{ type: 'input_file', file_url: 'https://example.com/a.pdf' }]),
      }),
    }),
  },
  {
    name: 'file-url-dear',
    tries: 'the same at the most expensive model',
    run: repeatRequest(10, RESPONSES_PATH, {
      body: () => ({
        model: 'gpt-6-astra',
        max_output_tokens: 16,
        input: buildUserMessages([{ type: 'input_file', file_url: 'https://example.com/a.pdf' }]),
      }),
    }),
  },
  {
    name: 'file-id',
    tries: 'documents that only the vendor has, by id, in three dialects',
    run: repeatRequest(12, (n) => pickInTurn([RESPONSES_PATH, CHAT_PATH, MESSAGES_PATH], n), {
      body: (n) =>
        pickInTurn(
          [
            { model: 'gpt-5.4-mini', max_output_tokens: 16, input: buildUserMessages([{ type: 'input_file', file_id: 'file-abc' }]) },
            { model: 'gpt-5.4-mini', max_completion_tokens: 16, messages: buildUserMessages([{ type: 'file', file: { file_id: 'file-abc' } }]) },
            { model: 'claude-haiku-5-5', max_tokens: 16, messages: buildUserMessages([{ type: 'document', source: { type: 'file', file_id: 'file_abc' } }]) },
          ],
          n,
        ),
    }),
  },
  {
    name: 'image-url',
    left: SMALL_BALANCE_NANO,
    tries: 'pictures behind URLs, and inline ones that say they have one pixel',
    run: repeatRequest(12, CHAT_PATH, {
      body: (n) => ({
        model: pickInTurn(['gpt-4o-mini', 'gpt-5.4-mini'], n),
        max_tokens: 16,
        messages: buildUserMessages(
          Array.from({ length: 10 }, () => ({
            type: 'image_url',
            image_url: { url: pickInTurn(['https://example.com/a.png', IMAGE_URL], n >> 1), detail: 'high' },
          })),
        ),
      }),
    }),
  },
  {
    name: 'image-claude',
    tries: 'twenty pictures by URL and inline at Claude',
    run: repeatRequest(10, MESSAGES_PATH, {
      body: (n) => ({
        model: 'claude-opus-5-5',
        max_tokens: 16,
        messages: buildUserMessages(
          Array.from({ length: 20 }, () => ({
            type: 'image',
            source: pickInTurn(
              [
                { type: 'url', url: 'https://example.com/a.png' },
                { type: 'base64', media_type: 'image/png', data: PNG },
              ],
              n,
            ),
          })),
        ),
      }),
    }),
  },
  {
    name: 'pdf-pages',
    tries: 'a small PDF of two hundred pages, inline',
    run: repeatRequest(6, (n) => pickInTurn([MESSAGES_PATH, RESPONSES_PATH], n), {
      body: (n) =>
        pickInTurn(
          [
            {
              model: 'claude-haiku-5-5',
              max_tokens: 16,
              messages: buildUserMessages([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf(200) } }]),
            },
            {
              model: 'gpt-6-luna',
              max_output_tokens: 16,
              input: buildUserMessages([{ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf(200)}` }]),
            },
          ],
          n,
        ),
    }),
  },
  {
    name: 'gemini-file-uri',
    tries: 'a video by its URI, in both spellings of the field',
    run: repeatRequest(20, toGeminiPath('gemini-2.5-flash-lite'), {
      body: (n) => ({
        ...buildGeminiBody(
          pickInTurn<object>(
            [{ fileData: { fileUri: 'https://example.com/a.mp4', mimeType: 'video/mp4' } }, { file_data: { file_uri: 'https://youtu.be/a' } }],
            n,
          ),
        ),
        generationConfig: { maxOutputTokens: 16 },
      }),
    }),
  },
  {
    name: 'gemini-cached-content',
    tries: 'a cache of the vendor, by name, in both spellings',
    run: repeatRequest(20, toGeminiPath('gemini-3.1-flash-lite'), {
      body: (n) => ({
        ...buildGeminiBody(),
        [pickInTurn(['cachedContent', 'cached_content'], n)]: 'cachedContents/abc',
        generationConfig: { maxOutputTokens: 16 },
      }),
    }),
  },
  {
    name: 'gemini-audio',
    tries: 'a minute of speech in few bytes, billed as audio',
    run: repeatRequest(10, toGeminiPath('gemini-2.5-flash'), {
      body: () => ({
        ...buildGeminiBody({ inlineData: { mimeType: 'audio/ogg', data: Buffer.alloc(60_000, 7).toString('base64') } }),
        generationConfig: { maxOutputTokens: 16 },
      }),
    }),
  },
  {
    name: 'previous-response',
    tries: 'a conversation that the vendor keeps',
    run: repeatRequest(20, RESPONSES_PATH, {
      body: (n) => ({
        model: 'gpt-6-luna',
        max_output_tokens: 16,
        input: 'hello',
        ...pickInTurn<object>([{ previous_response_id: 'resp_abc' }, { conversation: 'conv_abc' }, { prompt: { id: 'pmpt_abc' } }], n),
      }),
    }),
  },
  {
    name: 'long-context',
    tries: 'input just above the mark where all of it becomes more expensive, a token a byte',
    run: repeatRequest(3, (n) => pickInTurn([CHAT_PATH, MESSAGES_PATH], n), {
      body: (n) =>
        pickInTurn(
          [
            { model: 'gpt-5.6-luna', max_completion_tokens: 16, messages: buildUserMessages(buildRareText(273_000)) },
            { model: 'claude-haiku-5-5', max_tokens: 16, messages: buildUserMessages(buildRareText(101_000)) },
          ],
          n,
        ),
    }),
  },
  {
    name: 'token-a-byte',
    tries: 'text of which each byte is a token, at once and often',
    run: repeatRequest(16, CHAT_PATH, {
      body: () => ({ model: 'gpt-6-astra', max_completion_tokens: 16, messages: buildUserMessages(buildRareText(16_000)) }),
    }),
  },
  {
    name: 'cache-writes-1h',
    tries: 'everything written to the cache for an hour, at twice the price of input',
    run: repeatRequest(8, MESSAGES_PATH, {
      body: (n) => ({
        model: pickInTurn(['claude-opus-5-5', 'claude-fable-5-2'], n),
        max_tokens: 16,
        system: [{ type: 'text', text: buildRareText(12_000), cache_control: { type: 'ephemeral', ttl: '1h' } }],
        messages: buildUserMessages(),
      }),
    }),
  },
  {
    name: 'quote-flood',
    left: SMALL_BALANCE_NANO,
    tries: 'quotes, escapes and tiny parts that make the bytes look like something else',
    run: repeatRequest(6, CHAT_PATH, {
      body: (n) => ({
        model: 'gpt-6.1-terra',
        max_completion_tokens: 16,
        messages: pickInTurn<object[]>(
          [
            buildUserMessages('"'.repeat(20_000)),
            buildUserMessages('\\"'.repeat(10_000)),
            buildUserMessages(Array.from({ length: 3_000 }, () => ({ type: 'text', text: '\u{12031}' }))),
          ],
          n,
        ),
      }),
    }),
  },
  {
    name: 'tools-unseen',
    left: SMALL_BALANCE_NANO,
    tries: 'tools whose hidden prompt the request does not hold, often',
    run: repeatRequest(24, MESSAGES_PATH, {
      body: () => ({
        model: 'claude-fable-5-1',
        max_tokens: 1,
        tools: [{ name: 'a', input_schema: { type: 'object' } }],
        messages: buildUserMessages('a'),
      }),
    }),
  },
]
