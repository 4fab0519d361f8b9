import { createModelOracles } from '#stand-ins/models/observe.ts'
import type { ModelOracles } from '#stand-ins/models/observe.ts'

/** Google's methods follow a colon; Anthropic's are below /v1/messages. */
const surfaceOf = (path: string): keyof ModelOracles => (/:\w+$/.test(path) ? 'gemini' : path.startsWith('/v1/messages') ? 'anthropic' : 'openai')

/** Fields that the gateway adds for clients that look for them. */
const OUR_ADDITIONS = {
  openai: [
    {
      what: /^POST \/v1\/chat\/completions (reply|event) \/choices\/\d+\/(message|delta) must NOT have additional properties: reasoning_(content|details)$/,
      reason: 'Thoughts of other models, under the names that chat clients read (docs/decisions/translation.md).',
    },
    {
      what: /^POST \/v1\/chat\/completions (reply|event) \/choices\/\d+\/(message|delta)\/tool_calls\/\d+ must NOT have additional properties: extra_content$/,
      reason: "Gemini's signature of a call, where Google's own Chat endpoint has it: https://ai.google.dev/gemini-api/docs/openai",
    },
    {
      what: /^POST \/v1\/responses event \/ must NOT have additional properties: error$/,
      reason: 'The error also nested: AI SDK 5 reads it there, and the official SDK reads the flat fields.',
    },
  ],
  anthropic: [
    {
      what: /^POST \/v1\/messages reply 402 \/error must NOT have additional properties: details$/,
      reason: 'The amount that is missing and the address of the top-up.',
    },
  ],
}

/**
 * Compares every answer of the gateway with the published interface of the vendor whose SDK called: in this process, `fetch` to `baseUrl` is watched.
 * The returned function restores it and throws if anything differed.
 */
export async function observeFetch(baseUrl: string): Promise<() => Promise<void>> {
  const oracles = await createModelOracles(OUR_ADDITIONS)
  const original = globalThis.fetch
  const reading: Promise<void>[] = []
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const isModelCall = url.href.startsWith(baseUrl) && /^\/v1\/(?!models)|:\w+$/.test(url.pathname)
    if (!isModelCall) return original(input, init)
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const response = await original(input, init)
    if (!/json|event-stream/.test(response.headers.get('content-type') ?? '')) return response
    const copy = response.clone()
    reading.push(
      copy.text().then(
        (body) =>
          oracles[surfaceOf(url.pathname)]?.checkReply(
            { method, path: url.pathname, query: url.searchParams, headers: {}, body: '' },
            { status: copy.status, headers: { 'content-type': copy.headers.get('content-type') ?? '' }, body },
          ),
        () => {}, // Cut off by the test.
      ),
    )
    return response
  }
  return async () => {
    globalThis.fetch = original
    await Promise.all(reading)
    for (const oracle of Object.values(oracles)) oracle.report()
  }
}
