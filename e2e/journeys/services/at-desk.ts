import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { newId } from '#platform/shared/ids.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'

/** A port that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const one = createServer()
  await new Promise<void>((done) => one.listen(0, '127.0.0.1', done))
  const { port } = one.address() as AddressInfo
  await new Promise((done) => one.close(done))
  return port
}

/** What the operators' pages say, by file and key. */
export function deskWords(lang: Lang): (name: string, key: string, values?: Record<string, unknown>) => string {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../../features/backoffice/console/messages/${name}.${lang}.json`, import.meta.url), 'utf8')) as Record<string, string>
  return (name, key, values) => fill(read(name)[key] ?? `no text ${name}.${key}`, values)
}

/** A command of the desk's, as its dialog asks for it. */
export async function does(origin: string, token: string, name: string, input: object): Promise<void> {
  const ask = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'operatortoken': token, 'language': 'en', 'idempotency-key': newId('key') }
    return (await (await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as { code: number; msg: string; data: any }
  }
  const { data } = await ask(`/operator/do/${name}/preview`, input)
  const reply = await ask(`/operator/do/${name}`, { ...input, expects: data?.expects, reasonCode: 'customerAsked', reason: '' })
  expect([reply.code, reply.msg, reply.data?.state]).toEqual([200, reply.msg, 'done'])
}
