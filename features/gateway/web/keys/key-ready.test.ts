import { expect, test } from 'vitest'
import { buildCherryLink, buildSwitchLink } from './key-layers.tsx'
import { buildCurlSnippet, buildKeySnippets, KEY_PLACEHOLDER } from './snippets.ts'

const target = { origin: 'https://api.mingxi.example', secret: 'sk-secret', name: '明细' }
const words = { other: '其他客户端', base: '接口地址', key: '密钥', models: '模型' }

test('the Cherry Studio link carries address, key and an id of this site', () => {
  const url = new URL(buildCherryLink(target))
  expect(url.href).toMatch(/^cherrystudio:\/\/providers\/api-keys\?v=1&data=/)
  const data = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(url.searchParams.get('data')!), (sign) => sign.charCodeAt(0))))
  expect(data).toEqual({ id: 'mingxi-api-mingxi-example', baseUrl: target.origin, apiKey: target.secret, name: '明细', type: 'openai' })
})

test('the CC Switch link: Codex wants /v1, the others the bare host', () => {
  const codex = new URL(buildSwitchLink('codex', target))
  expect(codex.href).toMatch(/^ccswitch:\/\/v1\/import\?resource=provider&app=codex/)
  expect(codex.searchParams.get('endpoint')).toBe('https://api.mingxi.example/v1')
  expect(codex.searchParams.get('apiKey')).toBe('sk-secret')
  expect(new URL(buildSwitchLink('claude', target)).searchParams.get('endpoint')).toBe('https://api.mingxi.example')
  expect(new URL(buildSwitchLink('gemini', target)).searchParams.get('name')).toBe('明细')
})

test('each snippet has the base URL in its own form, and the key', () => {
  const by = new Map(buildKeySnippets(target.origin, target.secret, { words, models: ['gpt-6-luna'] }).map((snippet) => [snippet.id, snippet.code]))
  for (const code of by.values()) expect(code).toContain('sk-secret')
  for (const id of ['python', 'node', 'codex', 'other']) expect(by.get(id)).toContain('https://api.mingxi.example/v1')
  for (const id of ['anthropic', 'genai', 'claude-code', 'gemini-cli']) expect(by.get(id)).not.toContain('example/v1')
  expect(buildCurlSnippet(target.origin, KEY_PLACEHOLDER)).not.toContain('sk-')
})

test.each([
  ['gpt-6.2-sol', 'openai', 'curl'],
  ['claude-opus-5-5', 'anthropic', 'anthropic'],
  ['gemini-4-argon', 'google', 'genai'],
])('%s is called by every client, its own first', (id, vendor, first) => {
  const snippets = buildKeySnippets(target.origin, target.secret, { words, models: [], model: { id, vendor } })
  expect(snippets[0]!.id).toBe(first)
  for (const { id: client, code } of snippets) if (client !== 'other' && !(client === 'claude-code' && vendor === 'anthropic')) expect(code).toContain(id)
  expect(snippets.find((snippet) => snippet.id === 'codex')!.code.includes('web_search = "disabled"')).toBe(vendor !== 'openai')
})
