import { CHAT_PATH, MESSAGES_PATH, RESPONSES_PATH, pickInTurn, toGeminiPath, repeatRequest, buildGeminiBody, buildUserMessages } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const responses = (atOnce: number, ...tools: readonly object[]): Strategy['run'] =>
  repeatRequest(atOnce, RESPONSES_PATH, {
    body: (n) => ({
      model: pickInTurn(['gpt-6-luna', 'gpt-5-nano'], n),
      max_output_tokens: 200,
      input: 'hello',
      tools: [pickInTurn(tools, n)],
    }),
  })
const repeatClaude = (
  atOnce: number,
  tools: readonly object[],
  { more = {}, headers = {} }: { readonly more?: object; readonly headers?: Record<string, string> } = {},
): Strategy['run'] =>
  repeatRequest(atOnce, MESSAGES_PATH, {
    body: (n) => ({ model: 'claude-haiku-5-5', max_tokens: 200, messages: buildUserMessages(), tools: [pickInTurn(tools, n)], ...more }),
    asking: { headers },
  })

/** Strategies with tools that the vendor runs and bills. */
export const HOSTED_TOOL_STRATEGIES: readonly Strategy[] = [
  {
    name: 'web-search',
    tries: 'searches in Responses that read the window again and again',
    run: responses(10, { type: 'web_search' }, { type: 'web_search_preview', search_context_size: 'high' }),
  },
  {
    name: 'web-search-capped',
    tries: 'the same with a cap of its own on the searches',
    run: repeatRequest(10, RESPONSES_PATH, {
      body: () => ({
        model: 'gpt-6-luna',
        max_output_tokens: 200,
        max_tool_calls: 2,
        input: 'hello',
        tools: [{ type: 'web_search' }],
      }),
    }),
  },
  {
    name: 'chat-search',
    tries: 'a search asked for in Chat Completions',
    run: repeatRequest(10, CHAT_PATH, {
      body: () => ({ model: 'gpt-6-luna', max_completion_tokens: 200, messages: buildUserMessages(), web_search_options: {} }),
    }),
  },
  {
    name: 'code-container',
    tries: 'containers by their memory',
    run: responses(
      10,
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'code_interpreter', container: { type: 'auto', memory_limit: '64g' } },
    ),
  },
  { name: 'image-tool', tries: 'pictures made inside Responses', run: responses(10, { type: 'image_generation', quality: 'high', size: '1536x1024' }) },
  {
    name: 'file-search',
    tries: 'searches in files, and tools of other hosts',
    run: responses(10, { type: 'file_search', vector_store_ids: ['vs_abc'] }, { type: 'mcp', server_label: 'a', server_url: 'https://example.com/mcp' }),
  },
  {
    name: 'claude-search',
    tries: 'searches at Claude, with and without a cap on them',
    run: repeatClaude(10, [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
    ]),
  },
  {
    name: 'claude-fetch',
    tries: 'pages fetched into the window',
    run: repeatClaude(10, [{ type: 'web_fetch_20250910', name: 'web_fetch', max_uses: 3 }], {
      more: {},
      headers: { 'anthropic-beta': 'web-fetch-2025-09-10' },
    }),
  },
  {
    name: 'claude-code',
    tries: 'containers at Claude',
    run: repeatClaude(10, [{ type: 'code_execution_20250825', name: 'code_execution' }], {
      more: {},
      headers: { 'anthropic-beta': 'code-execution-2025-08-25' },
    }),
  },
  {
    name: 'claude-advisor',
    tries: 'an expensive model that advises a cheap one',
    run: repeatClaude(10, [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-fable-5-1', max_uses: 3 }], {
      more: {},
      headers: { 'anthropic-beta': 'advisor-tool-2026-03-01' },
    }),
  },
  {
    name: 'claude-compaction',
    tries: 'compaction, billed outside the totals',
    run: repeatRequest(4, MESSAGES_PATH, {
      body: () => ({
        model: 'claude-sonnet-5-5',
        max_tokens: 8_000,
        messages: buildUserMessages('hello '.repeat(60_000)),
        context_management: { edits: [{ type: 'compact_20260112' }] },
      }),
      asking: { headers: { 'anthropic-beta': 'compact-2026-01-12' } },
    }),
  },
  {
    name: 'claude-mcp',
    tries: 'tools of other hosts at Claude',
    run: repeatRequest(8, MESSAGES_PATH, {
      body: () => ({
        model: 'claude-haiku-5-5',
        max_tokens: 200,
        messages: buildUserMessages(),
        mcp_servers: [{ type: 'url', url: 'https://example.com/mcp', name: 'a' }],
      }),
      asking: { headers: { 'anthropic-beta': 'mcp-client-2025-11-20' } },
    }),
  },
  {
    name: 'gemini-grounding',
    tries: 'searches, maps, pages and code at Gemini, in both spellings',
    run: repeatRequest(10, (n) => toGeminiPath(pickInTurn(['gemini-3.1-flash-lite', 'gemini-2.5-flash-lite'], n)), {
      body: (n) => ({
        ...buildGeminiBody(),
        tools: [
          pickInTurn<object>(
            [{ googleSearch: {} }, { google_search: {} }, { urlContext: {} }, { codeExecution: {} }, { googleMaps: {} }, { google_search_retrieval: {} }],
            n >> 1,
          ),
        ],
        generationConfig: { maxOutputTokens: 200 },
      }),
    }),
  },
]
