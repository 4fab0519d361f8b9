import { fail } from '#platform/shared/errors.ts'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { MAX_TEST_TOKENS, MAX_TESTS_PER_HOUR } from '../../contract-keys.ts'
import type { keysContract, TestPiece } from '../../contract-keys.ts'
import { readGatewayConfig } from '../config.ts'
import { lockUserKeys, selectOwnKey } from './data.ts'
import { generateKeySecret, hashKeySecret } from './secret.ts'
import { insertTestSecret, endTestSecret, countRecentTests } from './data-secrets.ts'

type Test = (typeof keysContract)['testKey']

/** Lifetime of a test secret, enough for one answer. Only this process has the secret, and ends it after the answer. */
const TEST_SECRET_SECONDS = 120

/**
 * Makes a test call as the key, without the key: a separate secret that lives in this process for one call passes through the gateway's
 * public endpoint. Limits, budgets, networks (the caller's own address is forwarded) and billing are therefore those of any call.
 */
export const testKey: Handler<Test> = async (ctx, input) => {
  const secret = await createTestSecret(ctx, input.keyId)
  return { type: 'application/x-ndjson', filename: 'test.ndjson', body: streamLines(ctx, secret, buildTestBody(input.model, input.text)) }
}

/** Creates a secret for one call. */
function createTestSecret(ctx: Ctx, keyId: string): Promise<string> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    await lockUserKeys(tx, ctx.userId)
    const key = (await selectOwnKey(tx, ctx.userId, { keyId })) ?? fail('KEY_NOT_FOUND')
    if ((await countRecentTests(tx, ctx.userId)) >= MAX_TESTS_PER_HOUR) fail('TEST_TOO_MANY')
    const secret = generateKeySecret()
    await insertTestSecret(tx, key.keyId, { secretHash: hashKeySecret(secret), seconds: TEST_SECRET_SECONDS })
    await tx.audit('key.tested', `key:${key.keyId}`, { keyName: key.keyName, ip: ctx.ip })
    return secret
  })
}

const buildTestBody = (model: string, text: string) => ({
  model,
  stream: true,
  max_completion_tokens: MAX_TEST_TOKENS,
  messages: [{ role: 'user', content: text }],
})

function sendTestRequest(
  ctx: Ctx,
  path: string,
  { secret, body, signal }: { readonly secret: string; readonly body: object; readonly signal: AbortSignal },
): Promise<Response> {
  const origin = readGatewayConfig(ctx.config).GATEWAY_URL ?? ctx.publicUrl()
  return fetch(`${origin.replace(/\/$/, '')}${path}`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json', 'x-forwarded-for': ctx.ip },
    body: JSON.stringify(body),
    signal,
  })
}

async function* streamLines(ctx: Ctx, secret: string, body: object): AsyncGenerator<string> {
  const left = new AbortController()
  try {
    for await (const piece of streamPieces(ctx, secret, { body, signal: AbortSignal.any([left.signal, AbortSignal.timeout(TEST_SECRET_SECONDS * 1_000)]) }))
      yield `${JSON.stringify(piece)}\n`
  } finally {
    left.abort()
    await endTestSecret(ctx.db, hashKeySecret(secret))
  }
}

async function* streamPieces(ctx: Ctx, secret: string, { body, signal }: { readonly body: object; readonly signal: AbortSignal }): AsyncGenerator<TestPiece> {
  const began = Date.now()
  const response = await sendTestRequest(ctx, '/v1/chat/completions', { secret, body, signal })
  const requestId = response.headers.get('x-mingxi-request-id') ?? ''
  if (!response.ok || response.body === null) {
    const reply = (await response.json().catch(() => ({}))) as { error?: { message?: string } }
    yield { kind: 'refused', requestId, status: response.status, message: reply.error?.message ?? '' }
    return
  }
  let firstByteMs = 0
  for await (const data of readEvents(response.body)) {
    firstByteMs ||= Date.now() - began
    const text = parseEventText(data)
    if (text) yield { kind: 'text', text }
  }
  yield { kind: 'end', requestId, firstByteMs, totalMs: Date.now() - began }
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>) as unknown as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim()
  }
}

function parseEventText(data: string): string {
  if (!data.startsWith('{')) return ''
  const event = JSON.parse(data) as { choices?: readonly { delta?: { content?: string | null } }[]; error?: { message?: string } }
  return event.error?.message ?? event.choices?.[0]?.delta?.content ?? ''
}
