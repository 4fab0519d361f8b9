import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { aModel, createFakeDeps, TEST_KEY, PRICES } from '../testing/fake-deps.ts'
import { closeSockets, openHeldSession } from '../testing/held-session.ts'
import { openLab, waitForCondition } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { createRealtimeProtocol } from './realtime.ts'

/** Content that the vendor would add to a session without our seeing it: no hold covers it, so it is refused. */
const LIVE = `/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=${TEST_KEY}`
const MCP = { type: 'mcp', server_label: 'mine', server_url: 'https://mine.example/mcp', require_approval: 'never' }
const FUNCTION = { type: 'function', name: 'weather', parameters: { type: 'object' } }
let lab: Lab | undefined
afterEach(async () => {
  closeSockets()
  await lab?.close()
  lab = undefined
})

describe('Realtime', () => {
  const heard = (frame: object | string) => {
    const { refusal } = createRealtimeProtocol(createFakeDeps().deps).heard(Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)), false)
    return refusal === undefined ? undefined : (JSON.parse(refusal.toString()) as { error: { code: string; param: string } }).error
  }

  test('speech is not transcribed by a model that the key may not use', () => {
    const made = createFakeDeps()
    made.models.set('ears', aModel('ears', [], { prices: { ...PRICES, seconds: 1n } }))
    const asks = (name: string, mayUse?: (one: { id: string }) => boolean) => {
      const session = { type: 'realtime', audio: { input: { transcription: { model: name } } } }
      const { refusal } = createRealtimeProtocol(made.deps, mayUse).heard(Buffer.from(JSON.stringify({ type: 'session.update', session })), false)
      return refusal === undefined ? undefined : (JSON.parse(refusal.toString()) as { error: { code: string } }).error.code
    }
    expect([asks('ears'), asks('ears', ({ id }) => id === 'm'), asks('nobody', () => true)]).toEqual([undefined, 'model_not_allowed', 'model_not_found'])
  })

  test.each([
    ['session.update', 'session'],
    ['response.create', 'response'],
  ])('%s with a tool that the vendor calls, or a prompt that it keeps, is refused', (type, name) => {
    const said = (what: object): object => ({ type, [name]: { type: 'realtime', ...what } })
    for (const tools of [[MCP], [FUNCTION, MCP], MCP, [{ ...MCP, type: 'web_search' }], [{ ...MCP, type: 7 }]])
      expect(heard(said({ tools }))).toMatchObject({ code: 'unsupported_parameter', param: `${name}.tools` })
    expect(heard(said({ prompt: { id: 'pmpt_1' } }))).toMatchObject({ code: 'unsupported_parameter', param: `${name}.prompt` })
    const tools = JSON.stringify([MCP])
    expect(heard(`{"type":"${type}","${name}":{"tools":${tools},"tools":[]}}`)).toBeDefined()
    expect(heard(`{"type":"${type}","${name}":{"tools":${tools}},"${name}":{}}`)).toBeDefined()
    expect(heard(`{"type":"${type}","${name}":{"t\\u006fols":${tools}}}`)).toBeDefined()
    for (const what of [{ tools: [FUNCTION] }, { tools: [] }, { tools: null, prompt: null }]) expect(heard(said(what))).toBeUndefined()
  })

  test('a refused frame is not forwarded, and the session continues', async () => {
    const { client, vendor } = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    client.send(JSON.stringify({ type: 'session.update', session: { type: 'realtime', tools: [MCP] } }))
    client.send(JSON.stringify({ type: 'session.update', session: { type: 'realtime', tools: [FUNCTION] } }))
    await waitForCondition(() => vendor.heard.length === 1 && client.heard.length === 1)
    expect(vendor.heard[0]).toContain('weather')
    expect(client.heard[0]).toContain('`mcp` is called by the vendor')
  })
})

describe('Live', () => {
  /** Close reason of the socket, and the requests made before. */
  async function setUp(setup: object): Promise<{ reason: string; admitted: bigint[] }> {
    const opened = await openLab({ model: { dialects: new Set(['gemini-live']) } })
    lab = opened
    const admitted: bigint[] = []
    const { admit } = opened.deps.journal
    opened.deps.journal.admit = (key, amount, ...rest) => {
      admitted.push(amount)
      return admit(key, amount, ...rest)
    }
    const socket = new WebSocket(`ws://127.0.0.1:${opened.port}${LIVE}`)
    let reason: string | undefined
    socket.on('open', () => socket.send(JSON.stringify({ setup: { model: 'models/m', ...setup } })))
    socket.on('close', (_code, why) => (reason = why.toString()))
    await waitForCondition(() => reason !== undefined)
    return { reason: reason!, admitted }
  }

  test.each(['urlContext', 'codeExecution', 'code_execution', 'mcpServers', 'googleSearch', 'somethingNew'])(
    'a setup with the tool %s is closed before any money is asked for',
    async (tool) => {
      const { reason, admitted } = await setUp({ tools: [{ functionDeclarations: [{ name: 'weather' }] }, { [tool]: {} }] })
      expect(reason).toMatch(/^INVALID_ARGUMENT: /)
      expect(admitted).toEqual([])
    },
  )

  test('a resumed session is held as the model’s window: the vendor holds its content', async () => {
    const { admitted } = await setUp({ tools: [{ functionDeclarations: [{ name: 'weather' }] }], sessionResumption: {} })
    expect(admitted).toHaveLength(1)
    await lab!.close()
    const resumed = await setUp({ tools: [{ function_declarations: [{ name: 'weather' }] }], session_resumption: { handle: 'h' } })
    // 128,000 tokens of speech at 30 dollars a million
    expect(resumed.admitted[0]! - admitted[0]!).toBeGreaterThan(3_800_000_000n)
  })
})
