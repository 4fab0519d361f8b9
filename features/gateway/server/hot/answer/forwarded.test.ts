import { afterEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, callLab, openLab } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { TEST_KEY } from '../testing/fake-deps.ts'
import { formatHttpEvents, formatHttpJson } from '../testing/fake-upstream.ts'
import { GEMINI_TRANSCRIPT } from '../testing/transcripts.ts'

let lab: Lab
afterEach(() => lab.close())

/** Header names and path of the request that the upstream received. */
async function captureForwarded(path: string, headers: Record<string, string | string[]> = {}): Promise<{ path: string; headers: Map<string, string> }> {
  lab = await openLab()
  lab.upstream.answer = (_seen, socket) => {
    if (path.includes('stream')) socket.write(formatHttpEvents(GEMINI_TRANSCRIPT))
    else socket.write(formatHttpJson({ usage: { prompt_tokens: 1, completion_tokens: 1 } }))
  }
  await callLab(lab, { path, body: path.startsWith('/v1beta') ? { contents: [] } : CHAT_REQUEST, headers })
  const { head, path: asked } = lab.upstream.seen[0]!
  const lines = head.split('\r\n').slice(1)
  return { path: asked, headers: new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])) }
}

describe('query parameters are forwarded by name', () => {
  const STREAM = '/v1beta/models/m:streamGenerateContent'
  it.each([
    ['alt=sse', '?alt=sse'],
    ['alt=sse&key=sk-mx-test-key', '?alt=sse'],
    ['alt=sse&fields=candidates', '?alt=sse'],
    ['alt=sse&$fields=candidates', '?alt=sse'],
    ['%24fields=candidates&alt=sse', '?alt=sse'],
    ['f%69elds=candidates&alt=sse', '?alt=sse'],
    ['alt=sse&prettyPrint=false&$.xgafv=1', '?alt=sse'],
    ['alt=sse&callback=f', '?alt=sse'],
    ['alt=proto&alt=sse', '?alt=sse'],
    ['alt=sse&alt=proto', ''],
    ['$alt=sse', ''],
    ['xalt=sse', ''],
    ['fields=candidates', ''],
  ])('Gemini: %s', async (query, sent) => {
    expect((await captureForwarded(`${STREAM}?${query}`)).path).toBe(`${STREAM}${sent}`)
  })

  it.each([
    ['/v1/messages?beta=true', '/v1/messages?beta=true'],
    ['/v1/messages?beta=true&key=x&workspace_id=w', '/v1/messages?beta=true'],
    ['/v1/chat/completions?api-version=2024&fields=id', '/v1/chat/completions'],
  ])('%s', async (path, sent) => {
    expect((await captureForwarded(path)).path).toBe(sent)
  })
})

describe('headers are forwarded by name', () => {
  const STRANGE = {
    'x-goog-fieldmask': 'candidates',
    'x-goog-user-project': 'somebody',
    'x-http-method-override': 'GET',
    'x-goog-encode-response-if-executable': 'base64',
    'api-key': TEST_KEY,
    'x-api-key': TEST_KEY,
    'x-goog-api-key': TEST_KEY,
    'cookie': 'a=b',
    'openai-organization': 'org-1',
    'openai-project': 'proj_1',
    'anthropic-workspace-id': 'w',
    'anthropic-organization-id': 'o',
    'anthropic-user-profile-id': 'u',
    'content-encoding': 'identity',
    'idempotency-key': 'one',
    'x-forwarded-for': '1.2.3.4',
    'x-whatever': 'y',
  }
  it.each(['/v1/chat/completions', '/v1/messages', '/v1beta/models/m:generateContent'])(
    '%s: headers that shape an answer or name an account are not forwarded',
    async (path) => {
      const { headers } = await captureForwarded(path, STRANGE)
      for (const name of Object.keys(STRANGE)) expect(headers.has(name), name).toBe(false)
      expect([...headers.values()].join('\n')).not.toContain(TEST_KEY)
      expect(headers.get('authorization')).toBe('Bearer upstream-secret')
    },
  )

  it('headers of the vendors’ clients are forwarded unchanged', async () => {
    const sent = {
      'accept': 'application/json',
      'user-agent': 'OpenAI/JS 6.49.0',
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'a-2026-01-01,b-2026-02-02',
      'anthropic-dangerous-direct-browser-access': 'true',
      'openai-beta': 'responses=v1',
      'x-stainless-lang': 'js',
      'x-stainless-retry-count': '0',
      'x-app': 'cli',
      'x-goog-api-client': 'google-genai-sdk/3.0.0 gl-node/v26',
      'x-server-timeout': '60',
      'x-codex-turn-metadata': '{}',
      'originator': 'codex_cli_rs',
      'session_id': 's',
      'x-claude-code-session-id': 'c',
      'x-client-request-id': 'r',
    }
    const { headers } = await captureForwarded('/v1/messages', sent)
    for (const [name, value] of Object.entries(sent)) expect(headers.get(name), name).toBe(value)
  })

  it('an answer in a form without readable usage cannot be asked for', async () => {
    expect((await captureForwarded('/v1beta/models/m:generateContent', { accept: 'application/x-protobuf' })).headers.get('accept')).toBeUndefined()
    await lab.close()
    expect((await captureForwarded('/v1/messages', { accept: 'text/event-stream; q=1, application/json' })).headers.get('accept')).toBe(
      'text/event-stream; q=1, application/json',
    )
  })
})
