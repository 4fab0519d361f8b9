import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { defineErrors } from '#platform/shared/errors.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

vi.hoisted(() => {
  const media = { matches: false, addEventListener: () => undefined }
  const box = new Map<string, string>()
  vi.stubGlobal('matchMedia', () => media)
  vi.stubGlobal('location', { search: '', pathname: '/' })
  vi.stubGlobal('document', { cookie: '', documentElement: { classList: { toggle: () => undefined }, dataset: {} } })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => box.get(key) ?? null,
    setItem: (key: string, value: string) => box.set(key, value),
    removeItem: (key: string) => box.delete(key),
  })
})

const { resolveCallAddress, createApi } = await import('./api.ts')
const { onSessionEnd, startSession, getSessionToken } = await import('../state/session.ts')

const errors = defineErrors({ TOO_LOW: { code: 3001, status: 200 } })
const texts = mapLangs((lang) => ({ error_TOO_LOW: lang === 'zh' ? '最低 {min}' : 'At least {min}' }))
const api = createApi(
  defineContract(errors)({
    read: {
      method: 'GET',
      path: '/things/{id}',
      access: 'user',
      summary: '',
      input: z.object({ id: z.string(), page: z.number().optional(), note: z.string().optional() }),
      reply: z.object({ value: z.string() }),
      errors: [],
    },
    pay: {
      method: 'POST',
      path: '/pay',
      access: 'user',
      summary: '',
      input: z.object({ amount: z.string() }),
      reply: z.object({}),
      errors: ['TOO_LOW'],
      idempotency: 'required',
    },
  }),
  { errors, texts },
)

type Sent = { url: string; headers: Record<string, string>; body: string | undefined }
let sent: Sent[]
let replies: (() => Response)[]
const reply =
  (code: number, data: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify({ code, msg: '服务器文字', data }), { status, headers: { 'x-request-id': 'req_1' } })
const broken = () => {
  throw new TypeError('fetch failed')
}

beforeEach(() => {
  sent = []
  replies = []
  vi.stubGlobal('fetch', async (url: string, init: { headers: Record<string, string>; body?: string }) => {
    sent.push({ url, headers: init.headers, body: init.body })
    return (replies.shift() ?? reply(200, {}))()
  })
})

test('fills the path, leaves empty values out, parses the reply', async () => {
  replies = [reply(0, { value: 'x', secret: 'y' })]
  expect(await api.read({ id: 'a/b', page: 2, note: '' })).toEqual({ value: 'x' })
  expect(sent[0]?.url).toBe('/things/a%2Fb?page=2')
  expect(sent[0]?.headers).toMatchObject({ clientType: '1', language: 'zh' })
})

test('a refusal carries its name, the text of the language, the request id and the data', async () => {
  replies = [reply(3001, { min: '$5' })]
  await expect(api.pay({ amount: '1' })).rejects.toMatchObject({ code: 3001, errorName: 'TOO_LOW', message: '最低 $5', requestId: 'req_1' })
})

test('a lost connection is asked again once for GET, never for POST', async () => {
  replies = [broken, reply(200, { value: 'x' })]
  expect(await api.read({ id: '1' })).toEqual({ value: 'x' })
  replies = [broken]
  await expect(api.pay({ amount: '2' })).rejects.toMatchObject({ code: -1 })
  expect(sent).toHaveLength(3)
})

test('the idempotency key survives an uncertain answer and no other', async () => {
  replies = [broken, reply(502, {}, 502), reply(200, {}), reply(200, {})]
  await expect(api.pay({ amount: '9' })).rejects.toThrow()
  await expect(api.pay({ amount: '9' })).rejects.toThrow()
  await api.pay({ amount: '9' })
  await api.pay({ amount: '9' })
  const keys = sent.map((one) => one.headers['Idempotency-Key'])
  expect(new Set(keys.slice(0, 3)).size).toBe(1)
  expect(keys[3]).not.toBe(keys[0])
})

test('another amount gets another idempotency key', async () => {
  replies = [broken, reply(200, {})]
  await expect(api.pay({ amount: '5' })).rejects.toThrow()
  await api.pay({ amount: '6' })
  expect(sent[0]?.headers['Idempotency-Key']).not.toBe(sent[1]?.headers['Idempotency-Key'])
})

test('401 and 1005 end the session once', async () => {
  const ended = vi.fn<(reason: string) => void>()
  onSessionEnd(ended)
  startSession('token')
  replies = [reply(1005, {}), reply(401, {}, 401)]
  await expect(api.read({ id: '1' })).rejects.toThrow()
  await expect(api.read({ id: '1' })).rejects.toThrow()
  expect(sent[0]?.headers['accessToken']).toBe('token')
  expect(ended.mock.calls).toEqual([['expired']])
  expect(getSessionToken()).toBeUndefined()
})

test('a reply in another shape is an error, not data', async () => {
  replies = [reply(200, { value: 1 })]
  await expect(api.read({ id: '1' })).rejects.toMatchObject({ code: -3 })
})

test('null is sent in a body and left out of a query', () => {
  const input = { lowBalance: null, webhookUrl: 'https://x.example', name: '', gone: undefined }
  expect(resolveCallAddress({ method: 'POST', path: '/alerts' }, input).body).toBe('{"lowBalance":null,"webhookUrl":"https://x.example"}')
  expect(resolveCallAddress({ method: 'GET', path: '/alerts' }, input).url).toBe('/alerts?webhookUrl=https%3A%2F%2Fx.example')
})
